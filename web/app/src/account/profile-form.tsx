// The form of the person's own profile.
import type { Chat } from "@parley/client";
import { useState } from "preact/hooks";
import { explain } from "../api/attempt.js";
import { useApi, useLoad } from "../api/load.js";
import type { Person } from "../api/types.js";
import { usePage } from "../state/page.js";
import { sentence } from "../ui/forms.js";
import { FormBody, SelectField, Shown, TextField, useForm } from "../ui/parts.js";
import { type Chosen, PictureField } from "./picture-field.js";

/** Loads the whole profile and shows its form. */
export function ProfileForm({ onClose }: { onClose: () => void }) {
  const { request } = useApi();
  const loaded = useLoad("me", () => request("GET", "/people/me"));
  return <Shown loaded={loaded}>{person => <Fields person={person} onClose={onClose} />}</Shown>;
}

/** The time zone of this device. */
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the choices of a time zone, with the present one even if this browser does not know it. */
function zones(present: string) {
  const all = [...new Set([here, ...(present ? [present] : []), ...Intl.supportedValuesOf("timeZone")])];
  return [
    { value: "", label: "Do not show it" },
    ...all.map(zone => ({ value: zone, label: zone.replaceAll("_", " ") + (zone === here ? " (this device)" : "") })),
  ];
}

/** Returns what the profile's picture becomes, once that is uploaded; undefined to keep it. */
const uploaded = async (chat: Chat, picture: Chosen) =>
  (picture ? (await chat.files()).uploadPicture(picture) : picture);

function Fields({ person, onClose }: { person: Person; onClose: () => void }) {
  const { card, chat, config, toast } = usePage();
  const { request } = useApi();
  const hosts = config.value?.avatarHosts;
  const stored = person.metadata?.timeZone;
  const [name, setName] = useState(person.name);
  const [title, setTitle] = useState(person.title ?? "");
  const [avatar, setAvatar] = useState(person.avatar ?? "");
  const [picture, setPicture] = useState<Chosen>(undefined);
  const [problem, setProblem] = useState("");
  const [timeZone, setZone] = useState(typeof stored === "string" ? stored : here);
  const form = useForm(["name", "title", "avatar", "picture"], async () => {
    setProblem("");
    const { metadata } = await request("GET", "/people/me"); // other programs may have changed the rest of it
    let sha256: string | undefined;
    try {
      sha256 = await uploaded(chat.value!, picture);
    } catch (e) {
      return setProblem(sentence(explain(e)));
    }
    const saved = await request("PATCH", "/people/me", {
      name: name.trim(), title: title.trim(), metadata: { ...metadata, timeZone },
      ...(hosts?.[0] && { avatar: avatar.trim() }), ...(sha256 !== undefined && { picture: sha256 }),
    });
    if (sha256 && picture) {
      await import("../people/portrait.js").then(m => m.showUploaded(person.user, sha256, picture), () => undefined);
    }
    card.value = saved;
    toast("Your profile was saved. Others see it within a minute.");
    onClose();
  });
  return (
    <FormBody form={form} label="Your profile" action="Save" ready={!!name.trim()} onCancel={onClose}>
      <PictureField
        person={person}
        name={name}
        chosen={picture}
        problem={problem || (form.faults.fields.picture ?? "")}
        busy={form.busy}
        onChoose={setPicture}
        onProblem={setProblem}
      />
      <TextField form={form} name="name" label="Name that others see" value={name} onValue={setName} autofocus />
      <TextField form={form} name="title" label="Title" value={title} onValue={setTitle} />
      {hosts?.[0] && (
        <TextField form={form} name="avatar" label="Address of a picture" value={avatar} onValue={setAvatar}
          hint={`Pictures of ${hosts.join(", ")} are shown to people who have uploaded none.`} />
      )}
      <SelectField
        form={form}
        name="timeZone"
        label="Time zone"
        value={timeZone}
        choices={zones(timeZone)}
        onValue={setZone}
      />
    </FormBody>
  );
}
