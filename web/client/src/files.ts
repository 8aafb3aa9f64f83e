// The third module of the client: the files of messages and the pictures of people. It is loaded with the
// first message that has files, and by pages that show files or pictures.
export { linksOf } from "./links.js";
export { squareOf } from "./picture.js";
export { decode } from "./thumbhash.js";
export { Uploader } from "./uploader.js";
export { watch } from "./watch.js";
