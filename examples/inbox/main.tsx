// Shows the inbox of the person whose token is in the address, as in http://127.0.0.1:8080/#TOKEN.
// An app gets its tokens from an identity provider instead (docs/sign-in.md).
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { connect } from "@parley/client";
import { Inbox } from "./inbox.js";

const token = location.hash.slice(1);
const chat = connect({ url: location.origin, getToken: async () => token });
createRoot(document.getElementById("root")!).render(<StrictMode><Inbox chat={chat} /></StrictMode>);
