// The third module of the client: the files of messages. It is loaded with the first message that has
// files, and by pages that show files.
export { linksOf } from "./links.js";
export { decode } from "./thumbhash.js";
export { Uploader } from "./uploader.js";
export { watch } from "./watch.js";
