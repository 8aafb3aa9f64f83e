// A file that is no picture: sound and video with the browser's controls, and others as a card.
import { useEffect, useRef } from "preact/hooks";
import { usePage } from "../state/page.js";
import type { Attachment, FileProps } from "./attachment.js";
import { FileIcon, typeWords } from "./icon.js";
import { save, useLink } from "./link.js";
import { nameOf } from "./picture.js";
import { sizeWords } from "./size.js";
import { styled } from "./styles.js";

type Props = FileProps & { readonly file: Attachment };

export default styled(File);

function File(props: Props) {
  const kind = props.file.type.split("/")[0];
  return (
    <>
      <Card {...props} />
      {(kind === "audio" || kind === "video") && <Player kind={kind} {...props} />}
    </>
  );
}

/** The name, the type and the size of a file, as a button that saves it. */
function Card({ message, file, tabIndex }: Props) {
  const page = usePage();
  return (
    <button type="button" class="card-file" tabIndex={tabIndex} onClick={() => void save(page, message, file)}>
      <span class="unseen">Download</span>
      <FileIcon file={file} />
      <span class="p-name">
        <span class="cut" dir="auto">{file.name}</span>
        <span class="small quiet cut">{typeWords(file)}, {sizeWords(file.bytes)}</span>
      </span>
    </button>
  );
}

/** A player. After the address has expired, it continues with another where it was. */
function Player({ message, file, tabIndex, kind: Tag }: Props & { kind: "audio" | "video" }) {
  const box = useRef<HTMLDivElement>(null);
  const player = useRef<HTMLMediaElement>(null);
  const at = useRef({ time: 0, plays: false });
  const { link, failed, turn, onError, onLoad } = useLink(message, file, box);
  useEffect(() => { if (turn > 1) player.current?.load(); }, [turn]); // the address may be the same
  const poster = link?.preview ? { poster: link.preview } : {};
  return (
    <div ref={box} class="player">
      {link && !failed && (
        <Tag
          ref={player as never}
          controls
          preload="metadata"
          src={link.url}
          {...poster}
          tabIndex={tabIndex}
          aria-label={nameOf(file)}
          onError={onError}
          onPlay={() => { at.current.plays = true; }}
          onPause={() => { at.current.plays = false; }}
          onTimeUpdate={e => { if (e.currentTarget.readyState) at.current.time = e.currentTarget.currentTime; }}
          onLoadedMetadata={e => {
            onLoad();
            e.currentTarget.currentTime = at.current.time;
            if (at.current.plays) void e.currentTarget.play().catch(() => undefined);
          }}
        />
      )}
      {failed && <span class="small quiet">This file cannot be played.</span>}
    </div>
  );
}
