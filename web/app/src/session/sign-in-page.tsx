import { useEffect } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { lazy } from "../ui/lazy.js";
import { signInAgain, start } from "./sign-in.js";
import { storedUser } from "./tokens.js";

const Form = lazy(() => import("./sign-in-form.js"), Empty);

/**
 * The page while nobody is signed in. What ends a session is part of the first paint, so that it
 * shows without a network.
 */
export function SignIn() {
  const shown = useValue(usePage().phase);
  useEffect(() => { document.title = "Parley"; });
  // The browser applies autofocus only once per page.
  useEffect(() => document.querySelector<HTMLElement>("[autofocus]")?.focus(), [shown]);
  return (
    <main class="welcome">
      <div class="card">
        <span class="mark" aria-hidden="true">P</span>
        {shown === "unreachable" ? <Unreachable />
          : shown === "signed-out" || shown === "suspended" ? <Out why={shown} />
          : shown === "other" ? <Other />
          : <Form />}
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
  suspended: ["Your account is suspended", "Nothing that you do here is accepted. Ask those who run this chat."],
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
      <p class="quiet">
        Another tab of this browser is signed in as <code>{user}</code>. This tab was signed in
        as <code>{page.me.value}</code>.
      </p>
      <button type="button" class="button" autofocus onClick={() => void start(page)}>Continue as {user}</button>
    </>
  );
}

/** The form until its code is loaded. */
function Empty() {
  return <><h1>Sign in to Parley</h1><p class="quiet" role="status" /></>;
}
