// The icons and the words for the types of files.
import type { Attachment } from "./attachment.js";

/** The parts of the icons within a sheet of paper, on a grid of 24 by 24. */
const paths = {
  text: "M9 11.5h6M9 14.5h6M9 17.5h3.5",
  table: "M8.5 11h7v6.5h-7zM8.5 14.25h7M12 11v6.5",
  archive: "M12 4v2M12 8v2M12 12v1.5M10.75 13.5h2.5v3.5h-2.5z",
  code: "m10.25 11-2 2.75 2 2.75M13.75 11l2 2.75-2 2.75",
  picture: "m8 17.5 2.75-3.75 2 2.25 1.25-1.25 2 2.75zM10.5 10.5v.25",
  audio: "M10.75 17V11l4-.75v6M10.75 17a1.25 1.25 0 1 1-2.5 0 1.25 1.25 0 0 1 2.5 0m4-.75a1.25 1.25 0 1 1-2.5 0 1.25 1.25 0 0 1 2.5 0",
  video: "m10 11 5 3-5 3z",
  other: "",
} as const;

type Kind = keyof typeof paths;

/** The kinds of files by the beginning of a media type, or by the end of a name: the first that matches. */
const kinds: readonly (readonly [Kind, RegExp])[] = [
  ["picture", /^image\//], ["audio", /^audio\//], ["video", /^video\//],
  ["table", /spreadsheet|excel|csv|\.(csv|tsv|xlsx?|ods|numbers)$/],
  ["archive", /zip|tar|compress|\.(zip|t?gz|tar|7z|rar|bz2|xz|zst)$/],
  ["code", /json|xml|javascript|html|\.(jsx?|tsx?|go|py|rs|rb|java|c|h|cpp|cs|sh|sql|ya?ml|toml|css)$/],
  ["text", /^text\/|pdf|document|msword|presentation|powerpoint|\.(txt|md|log)$/],
];

export function FileIcon({ file: { type, name } }: { file: Attachment }) {
  const [kind] = kinds.find(([, pattern]) => pattern.test(type) || pattern.test(name.toLowerCase()))
    ?? ["other" as const];
  return (
    <svg class="svg sheet" viewBox="0 0 24 24" aria-hidden="true">
      <path d={`M6 3.5h8l4 4v13H6zM14 3.5v4h4${paths[kind]}`} />
    </svg>
  );
}

/** Returns the type of a file as people call it: the end of its name, such as PDF. */
export const typeWords = ({ name }: Attachment): string =>
  /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase() ?? "File";
