import { InputError, shown } from "../errors.js";
import { utf8 } from "./bytes.js";

const encodedLength = (text: string): number => utf8(text).length;

function firstOutside(text: string, allowed: RegExp): string | undefined {
  return [...text].find((character) => !allowed.test(character));
}

/** Checks a program's id: 1 to 64 bytes of `[A-Za-z0-9._-]`. */
export function checkProgramId(id: string): string {
  const length = encodedLength(id);
  if (length < 1 || length > 64) {
    throw new InputError(
      "program_id_length",
      `program id ${shown(id)} has ${length} bytes`,
      "Use 1 to 64",
    );
  }
  const character = firstOutside(id, /^[A-Za-z0-9._-]$/);
  if (character !== undefined) {
    throw new InputError(
      "program_id_character",
      `program id ${shown(id)} contains ${JSON.stringify(character)}`,
      "Use only A-Z a-z 0-9 . _ -",
    );
  }
  return id;
}

/** Checks an idempotency key: 1 to 256 bytes of printable ASCII without blanks. */
export function checkKey(key: string): string {
  const length = encodedLength(key);
  if (length < 1 || length > 256) {
    throw new InputError(
      "key_length",
      `idempotency key ${shown(key)} has ${length} bytes`,
      "Use 1 to 256",
    );
  }
  const character = firstOutside(key, /^[\x21-\x7e]$/);
  if (character !== undefined) {
    throw new InputError(
      "key_character",
      `idempotency key ${shown(key)} contains ${JSON.stringify(character)}`,
      "Use printable ASCII without blanks, and remove blanks and line ends around it",
    );
  }
  return key;
}

/** A run's name in the form that keys are derived from: `A` to `Z` taken as `a` to `z`. */
export function checkRunName(name: string): string {
  const length = encodedLength(name);
  if (length < 1 || length > 64) {
    throw new InputError(
      "run_name_length",
      `run name ${shown(name)} has ${length} bytes`,
      "Use 1 to 64",
    );
  }
  const character = firstOutside(name, /^[A-Za-z0-9._-]$/);
  if (character !== undefined) {
    throw new InputError(
      "run_name_character",
      `run name ${shown(name)} contains ${JSON.stringify(character)}`,
      "Use only A-Z a-z 0-9 . _ -",
    );
  }
  if (!/^[A-Za-z0-9]/.test(name)) {
    throw new InputError(
      "run_name_start",
      `run name ${shown(name)} begins like an option or a hidden file`,
      "Begin it with a letter or a digit",
    );
  }
  return name.toLowerCase();
}

/**
 * What nobody sees, or tells from a plain blank: control characters, what is ignored where text is
 * shown, white space but U+0020 and U+3000, Braille without a dot, marks of glosses; and U+3000 at
 * an end.
 */
const UNSEEN =
  /\p{Cc}|\p{Default_Ignorable_Code_Point}|(?![ \u3000])\p{White_Space}|[\u2800\ufff9-\ufffb]|^\u3000|\u3000$/u;

/**
 * Checks a row's id as it is derived from: 1 to 256 bytes in NFC, without ASCII blanks around it and
 * without characters that nobody sees.
 */
export function checkRowId(id: string): string {
  const length = encodedLength(id);
  if (length < 1 || length > 256) {
    throw new InputError(
      "row_id_length",
      `row id ${shown(id)} has ${length} bytes`,
      "Give each row an id of 1 to 256 bytes that stays the same when the file is edited",
    );
  }
  if (trimmed(id) !== id) {
    throw new InputError("row_id_blank", `row id ${shown(id)} has a blank around it`, "Remove it");
  }
  const unseen = UNSEEN.exec(id)?.[0];
  if (unseen !== undefined) {
    const point = (unseen.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    throw new InputError(
      "row_id_unseen",
      `row id ${shown(id)} contains U+${point}, which nobody sees, so two ids may look like one`,
      "Remove it",
    );
  }
  if (id.normalize("NFC") !== id) {
    throw new InputError(
      "row_id_not_normalised",
      `row id ${shown(id)} is not in Unicode form NFC`,
      "Read it with rowIdFromCell where the file is read",
    );
  }
  return id;
}

/** The id of a file's cell: ASCII blanks off its ends, then NFC. What nobody sees is refused. */
export function rowIdFromCell(cell: string): string {
  return checkRowId(trimmed(cell).normalize("NFC"));
}

function trimmed(text: string): string {
  return text.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, "");
}
