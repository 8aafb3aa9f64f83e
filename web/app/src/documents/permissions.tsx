import { useState } from "preact/hooks";
import type { DocumentInfo } from "../api/types.js";
import { Sheet, FormBody, SelectField, TextField, useForm } from "../ui/parts.js";

type Audience = NonNullable<DocumentInfo["read"]>;

export interface DocumentDraft {
  readonly title: string;
  readonly read?: Audience;
  readonly write?: Audience;
}

const choices = [
  { value: "room", label: "Same as the room" },
  { value: "everyone", label: "Everyone" },
  { value: "members", label: "Members" },
  { value: "moderators", label: "Moderators and owners" }, { value: "owners", label: "Owners" },
];

/** The title of a document and, where the caller may set them, its readers and writers. */
export function Permissions({ title, action, doc, restricts, onSave, onClose }: {
  title: string; action: string; doc?: DocumentInfo; restricts: boolean;
  onSave: (draft: DocumentDraft) => Promise<void>; onClose: () => void;
}) {
  const [name, setName] = useState(doc?.title ?? "");
  const [read, setRead] = useState<string>(doc?.read ?? "room");
  const [write, setWrite] = useState<string>(doc?.write ?? "room");
  const form = useForm(["title", "read", "write"], async () => {
    await onSave({ title: name.trim(), ...(restricts && { read: read as Audience, write: write as Audience }) });
    onClose();
  });
  return (
    <Sheet title={title} onClose={onClose}>
      <FormBody form={form} label={title} action={action} ready={!!name.trim()} onCancel={onClose}>
        <TextField form={form} name="title" label="Title" value={name} onValue={setName} autofocus />
        {restricts && (
          <>
            <SelectField form={form} name="read" label="Readers" value={read} choices={choices} onValue={setRead} />
            <SelectField
              form={form}
              name="write"
              label="Writers"
              hint="Writers must be readers, too."
              value={write}
              choices={choices}
              onValue={setWrite}
            />
          </>
        )}
      </FormBody>
    </Sheet>
  );
}
