import { useEffect, useState } from "preact/hooks";

interface Found { readonly user: string; readonly name: string }

/** The pause in typing after which people are looked for. */
const pause = 150;

/**
 * The people whose names begin with a text, as suggestions for a field with the list's id. Imported
 * people sign in by their names. One who shares a name signs in by the user id.
 */
export function Suggestions({ id, text }: { id: string; text: string }) {
  const [people, setPeople] = useState<readonly Found[]>([]);
  const name = text.trim();
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => void find(name, stop.signal).then(setPeople, () => undefined), pause);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [name]);
  const shared = (p: Found) => people.some(o => o !== p && o.name === p.name);
  return (
    <datalist id={id}>
      {people.map(p => <option key={p.user} value={shared(p) ? p.user : p.name} label={shared(p) ? p.name : undefined} />)}
    </datalist>
  );
}

/** Returns people of a server on this machine. It finds nobody if the server does not answer. */
async function find(name: string, signal: AbortSignal): Promise<readonly Found[]> {
  if (!name) return [];
  const answer = await fetch("/local/sign-in/people", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name }), signal,
  });
  return answer.ok ? ((await answer.json()) as { items: Found[] }).items : [];
}
