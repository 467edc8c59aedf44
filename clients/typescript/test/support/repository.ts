// Where the repository's files are, from wherever the tests run.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

function above(start: string, mark: string): string {
  let folder = start;
  while (!existsSync(join(folder, mark))) {
    if (folder === dirname(folder)) throw new Error(`${mark} is not above ${start}`);
    folder = dirname(folder);
  }
  return folder;
}

const here = dirname(fileURLToPath(import.meta.url));

/** The root of the repository. */
export const repository = above(here, "testdata/vectors.json");

/** The folder of this package. */
export const packageFolder = join(repository, "clients/typescript");
