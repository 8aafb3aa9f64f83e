import { useEffect, useState } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { signInAgain, signInAs, signInWith, start } from "./sign-in.js";
import { Suggestions } from "./suggestions.js";
import { storedUser } from "./tokens.js";

/** The page while nobody is signed in. It is a part of the first paint, so that it shows without a network. */
export function SignIn() {
  const shown = useValue(usePage().phase);
  useEffect(() => { document.title = "Parley"; });
  // The browser applies autofocus only once per page.
  useEffect(() => document.querySelector<HTMLElement>("[autofocus]")?.focus(), [shown]);
  return (
    <main class="welcome">
      <div class="card">
        <span class="mark" aria-hidden="true">P</span>
        {shown === "unreachable" ? <Unreachable /> : shown === "signed-out" || shown === "suspended" ? <Out why={shown} /> : shown === "other" ? <Other /> : <Form />}
      </div>
    </main>
  );
}

function Unreachable() {
  const page = usePage();
  useEffect(() => {
    const retry = () => void start(page);
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, []);
  return (
    <>
      <h1>The server cannot be reached</h1>
      <p class="quiet">Check your connection. The page opens by itself when you are back online.</p>
      <button type="button" class="button" autofocus onClick={() => void start(page)}>Try again</button>
    </>
  );
}

const reasons = {
  "signed-out": ["Signed out", "Sign in again to see your rooms."],
  suspended: ["Your account is suspended", "Nothing that you do here is accepted. Ask those who run this chat. Messages that were not sent are kept on this device."],
};

function Out({ why }: { why: keyof typeof reasons }) {
  const page = usePage();
  const [title, text] = reasons[why];
  const unreached = useValue(page.refusal);
  return (
    <>
      <h1>{title}</h1>
      <p class="quiet">{text}</p>
      {unreached && <p class="alert" role="alert">{unreached}</p>}
      <button type="button" class="button" autofocus onClick={() => void signInAgain(page)}>Sign in again</button>
    </>
  );
}

/** Another tab signed in somebody else: this tab shows nothing of them unasked. */
function Other() {
  const page = usePage();
  const user = storedUser();
  return (
    <>
      <h1>Somebody else is signed in</h1>
      <p class="quiet">Another tab of this browser is signed in as <code>{user}</code>. This tab was signed in as <code>{page.me.value}</code>.</p>
      <button type="button" class="button" autofocus onClick={() => void start(page)}>Continue as {user}</button>
    </>
  );
}

function Form() {
  const page = usePage();
  const kind = page.config.value?.signIn.kind;
  return (
    <>
      <h1>Sign in to Parley</h1>
      {kind === "local" && <p class="quiet">This server runs on your own machine. Any name will do, such as Ann. The address with <code>#as=bob</code> opens a window as a second person.</p>}
      {kind === "token" && <p class="quiet">Paste an access token from your identity provider. The tabs of this browser use it until you sign out.</p>}
      {kind === "oidc" ? <Provider /> : <Field label={kind === "token" ? "Access token" : "Your name"} suggests={kind === "local"} signIn={text => (kind === "token" ? signInWith : signInAs)(page, text)} />}
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

function Field({ label, suggests, signIn }: { label: string; suggests: boolean; signIn: (text: string) => Promise<void> }) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const refused = useValue(usePage().refusal);
  const submit = async (e: Event) => {
    e.preventDefault();
    if (!text.trim() || busy) return;
    setBusy(true);
    await signIn(text.trim());
    setBusy(false);
  };
  return (
    <form onSubmit={submit}>
      <label class="field">
        {label}
        <input value={text} onInput={e => setText(e.currentTarget.value)} autofocus autocomplete={suggests ? "off" : "username"}
          list={suggests ? "people" : undefined} spellcheck={false} aria-invalid={refused !== ""} aria-describedby="refusal" dir="auto" />
        {suggests && <Suggestions id="people" text={text} />}
      </label>
      <p id="refusal" class="alert small" role="alert">{refused}</p>
      <button class="button" disabled={busy}>Sign in</button>
    </form>
  );
}
