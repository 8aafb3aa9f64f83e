import { useEffect, useState } from "preact/hooks";

/** A person who can sign in, with the number of messages that an import brought. */
interface Found { readonly user: string; readonly name: string; readonly messages?: number }

/** The pause in typing after which people are looked for. */
const pause = 150;

/** Returns the people whose names begin with a text; without one, those whom imports brought and who wrote most. */
export function usePeople(text: string, looks: boolean): readonly Found[] {
  const [people, setPeople] = useState<readonly Found[]>([]);
  const name = text.trim();
  useEffect(() => {
    if (!looks) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => void find(name, stop.signal).then(setPeople, () => undefined), name ? pause : 0);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [name, looks]);
  return people;
}

/** Returns how a person signs in: by their name, or by the user id if they share it. */
const nameIn = (people: readonly Found[], p: Found): string =>
  (people.some(o => o !== p && o.name === p.name) ? p.user : p.name);

/** People as suggestions for a field with the list's id. */
export function Suggestions({ id, people }: { id: string; people: readonly Found[] }) {
  return (
    <datalist id={id}>
      {people.map(p => (
        <option key={p.user} value={nameIn(people, p)} label={nameIn(people, p) === p.name ? undefined : p.name} />
      ))}
    </datalist>
  );
}

/** People whom imports brought, as buttons. */
export function Offered({ people, onChoose }: { people: readonly Found[]; onChoose: (name: string) => void }) {
  if (!people.length) return null;
  return (
    <section aria-labelledby="imported">
      <h2 id="imported" class="quiet small">Or sign in as somebody who was imported</h2>
      <ul class="offered">
        {people.map(p => (
          <li key={p.user}>
            <button type="button" class="button plain" onClick={() => onChoose(nameIn(people, p))}>
              <span class="cut" dir="auto">{p.name}</span>
              <span class="quiet">{p.messages ?? 0} {p.messages === 1 ? "message" : "messages"}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns people of a server on this machine. It finds nobody if the server does not answer. */
async function find(name: string, signal: AbortSignal): Promise<readonly Found[]> {
  const answer = await fetch("/local/sign-in/people", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name }), signal,
  });
  return answer.ok ? ((await answer.json()) as { items: Found[] }).items : [];
}
