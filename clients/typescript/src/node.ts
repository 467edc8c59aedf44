/** What needs a file system. */
export { FileKeyStore } from "./store/file.js";
