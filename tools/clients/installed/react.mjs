// Shows a room with the installed @parley/react, and sends and receives a message.
import { strict as assert } from "node:assert";
import { connect } from "@parley/client";
import { ChatProvider, usePerson, useRoom, useRooms } from "@parley/react";
import { StrictMode, createElement as h, useState } from "react";
import { create } from "react-test-renderer";
import { WebSocket } from "ws";

const { PARLEY_URL: url, PARLEY_TOKEN: token, PARLEY_TOKEN_BOB: bob } = process.env;
const chat = connect({ url, getToken: async () => token, WebSocket });
let send;
let hide;

function Room() {
  const { messages, room } = useRoom("seattle");
  send = text => room.send(text);
  return h("p", null, messages.map(m => `${m.user}: ${m.text} ${m.status ?? "stored"}`).join("; "));
}

/** Shows the same room, until it is hidden. */
function Title() {
  const { info } = useRoom("seattle");
  return h("h1", null, info?.topic);
}

function App() {
  const [shown, setShown] = useState(true);
  hide = () => setShown(false);
  return h("main", null, shown && h(Title), h(Room), useRooms().rooms.map(r => r.id).join(), usePerson("bob")?.name);
}

async function until(what, holds) {
  for (const end = Date.now() + 30_000; !holds(); await new Promise(resolve => setTimeout(resolve, 20))) {
    assert(Date.now() < end, `never: ${what}: ${JSON.stringify(page.toJSON())}`);
  }
}

const ask = async (method, path, body) => assert((await fetch(url + path, {
  method, headers: { Authorization: `Bearer ${bob}`, "Content-Type": "application/json" }, body: JSON.stringify(body),
})).ok, path);
await ask("PUT", "/people/me", { name: "Bob Ray" });
await ask("PUT", "/rooms/seattle", { topic: "rain" });
await ask("PUT", "/rooms/seattle/members/amsg", { role: "member" });

const page = create(h(StrictMode, null, h(ChatProvider, { chat }, h(App))));
const shows = text => () => JSON.stringify(page.toJSON())?.includes(text);
await until("the topic is shown", shows("rain"));
await until("the client is online", () => chat.state.value === "online");
hide();
await until("the title has closed the room", () => !shows("rain")());
send("from React");
await until("the message is stored", shows("amsg: from React stored"));
await ask("POST", "/rooms/seattle/messages", { text: "from Bob" });
const again = setInterval(() => ask("POST", "/rooms/seattle/messages", { text: "again" }), 5_000); // the next change shows that a slow machine has lost one
await until("the message arrives", shows("bob: from Bob stored"));
clearInterval(again);
await until("the room is listed", shows("seattle"));
await until("Bob has a name", shows("Bob Ray"));
chat.close();
