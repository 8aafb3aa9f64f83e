import { useEffect, useState } from "preact/hooks";
import { Invites, ended, tokenIn, useInvitation } from "../navigation/invites.js";
import { useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";
import { localTokens } from "./renewal.js";
import { attempt, signInAgain } from "./sign-in.js";
import { Offered, Suggestions, usePeople } from "./suggestions.js";
import { isFresh } from "./tokens.js";

/** The form of a sign-in, or the button that leads to the provider. */
export default function Form() {
  const page = usePage();
  const kind = page.config.value?.signIn.kind;
  const said = useInvitation(tokenIn(location.hash));
  useEffect(() => document.querySelector<HTMLElement>("[autofocus]")?.focus(), []);
  return (
    <>
      {said !== undefined && <p class="invites" role="status">{said ? <Invites by={said} /> : ended}</p>}
      <h1>Sign in to Parley</h1>
      {kind === "local" && (
        <p class="quiet">
          This server runs on your own machine. Any name will do, such as Ann. The address
          with <code>#as=bob</code> opens a window as a second person.
        </p>
      )}
      {kind === "token" && (
        <p class="quiet">
          Paste an access token from your identity provider. The tabs of this browser use it until you sign out.
        </p>
      )}
      {kind === "oidc" ? <Provider /> : (
        <Field
          label={kind === "token" ? "Access token" : "Your name"}
          suggests={kind === "local"}
          signIn={text => (kind === "token" ? signInWith : signInAs)(page, text)}
        />
      )}
    </>
  );
}

function Provider() {
  const page = usePage();
  const refused = useValue(page.refusal);
  return (
    <>
      {refused && <p class="alert" role="alert">{refused}</p>}
      <button type="button" class="button" autofocus onClick={() => void signInAgain(page)}>Sign in</button>
    </>
  );
}

function Field({ label, suggests, signIn }: {
  label: string; suggests: boolean; signIn: (text: string) => Promise<void>;
}) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const refused = useValue(usePage().refusal);
  const people = usePeople(text, suggests);
  const enter = async (name: string) => {
    if (!name || busy) return;
    setBusy(true);
    await signIn(name);
    setBusy(false);
  };
  const submit = (e: Event) => {
    e.preventDefault();
    void enter(text.trim());
  };
  return (
    <form onSubmit={submit}>
      <label class="field">
        {label}
        <input
          value={text}
          onInput={e => setText(e.currentTarget.value)}
          autofocus
          autocomplete={suggests ? "off" : "username"}
          list={suggests ? "people" : undefined}
          spellcheck={false}
          aria-invalid={refused !== ""}
          aria-describedby="refusal"
          dir="auto"
        />
        {suggests && <Suggestions id="people" people={people} />}
      </label>
      <p id="refusal" class="alert small" role="alert">{refused}</p>
      <button class="button" disabled={busy}>Sign in</button>
      {!text.trim() && <Offered people={people} onChoose={name => void enter(name)} />}
    </form>
  );
}

/** Signs in by name, at a server on this machine. It makes the user id from the name. */
const signInAs = (page: Page, name: string): Promise<void> => attempt(page, () => localTokens({ name }));

/** Signs in with a token from elsewhere. */
const signInWith = (page: Page, token: string): Promise<void> => attempt(page, async () => {
  if (!isFresh(token)) throw new Error("That is not a token, or it has expired.");
  return { token };
});
