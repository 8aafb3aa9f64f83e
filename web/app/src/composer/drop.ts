// Files that are dropped or pasted go to the field for files of the room, the thread or the profile there.

/** Returns the field for files around an element; none if there is none, or if it is disabled. */
function fieldAt(target: EventTarget | null): HTMLInputElement | null | undefined {
  const zone = target === document.body
    ? document.querySelector(".room-pane")
    : (target as Element).closest("dialog, .editor, .panel, .room-pane");
  return zone?.querySelector<HTMLInputElement>(":is(.composer, .own-picture) [type=file]:enabled");
}

/** Gives files to the field around the target of an event, as if they were chosen there. */
function give(e: Event, files: FileList): void {
  const field = fieldAt(e.target);
  if (!field) return;
  e.preventDefault();
  field.files = files;
  field.dispatchEvent(new Event("change"));
}

let marked: Element | null | undefined;

/** Shows where files would be dropped. */
function mark(zone?: Element | null): void {
  if (zone === marked) return;
  marked?.classList.remove("dropping");
  zone?.classList.add("dropping");
  marked = zone;
}

const hasFiles = (data: DataTransfer | null): data is DataTransfer => !!data?.types.includes("Files");

addEventListener("dragover", ({ target, dataTransfer: data }) => {
  if (!hasFiles(data)) return;
  const field = fieldAt(target);
  data.dropEffect = field ? "copy" : "none";
  mark(field?.closest(".own-picture, .panel, .room-pane"));
});
addEventListener("dragleave", e => { if (!e.relatedTarget) mark(); });
addEventListener("drop", e => {
  mark();
  if (hasFiles(e.dataTransfer)) give(e, e.dataTransfer.files);
});
addEventListener("paste", e => {
  const data = e.clipboardData;
  // The cells of a table are also a picture, but their text is wanted. A file has at most its name as a text.
  const cells = ["text/plain", "text/html"].every(type => data?.types.includes(type));
  if (hasFiles(data) && !cells) give(e, data.files);
});
