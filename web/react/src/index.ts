"use client";
// React hooks over a client. A component opens the rooms and threads that it shows, and closes them
// when it leaves. Several components may show the same room: the client counts them.
import * as React from "react";
import type { ReactElement, ReactNode } from "react";
import type {
  Act, Card, Chat, Notice, Observable, People, Room, RoomEntry, RoomView, Thread, ThreadView,
} from "@parley/client";
import { thread as threadOf } from "@parley/client/more";

// React for Server Components has no contexts and no such hooks: there the module loads, and nothing of it runs.
const { createElement, useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } = React;
const Context = React.createContext?.<Chat | null>(null);

/** Gives a chat to the hooks of all components below it. */
export function ChatProvider({ chat, children }: { chat: Chat; children?: ReactNode }): ReactElement {
  return createElement(Context.Provider, { value: chat }, children);
}

/** Returns the chat of the provider. */
export function useChat(): Chat {
  const chat = useContext(Context);
  if (!chat) throw new Error("There is no ChatProvider above this component.");
  return chat;
}

/** Returns a current value, such as `useValue(useChat().state)`. */
export function useValue<T>(observable: Observable<T>): T {
  const subscribe = useCallback((fn: () => void) => observable.subscribe(fn), [observable]);
  const read = () => observable.value;
  return useSyncExternalStore(subscribe, read, read);
}

/** The caller's rooms, newest activity first. */
export interface RoomList {
  readonly rooms: readonly RoomEntry[];
  /** The unread messages of all rooms. */
  readonly unread: number;
  readonly loaded: boolean;
  readonly people: People;
}

/** Returns the caller's rooms. */
export function useRooms(): RoomList {
  const list = useChat().rooms;
  const rooms = useValue(list);
  const { unread, loaded, people } = list;
  return { rooms, unread, loaded, people };
}

/** Where a room opens: around a message, by its id, and how many messages it loads at first. */
export interface Opening {
  readonly around?: string;
  readonly limit?: number;
}

/** Follows a room, and returns its contents and the room itself. */
export function useRoom(id: string, { around, limit }: Opening = {}): RoomView & { readonly room: Room } {
  const room = useChat().room(id);
  useEffect(() => {
    void room.open(around, limit);
    return () => room.close();
  }, [room, around, limit]);
  return { ...useValue(room), room };
}

/** Follows the thread of a message, and returns its contents and the thread itself. */
export function useThread(roomId: string, root: string): ThreadView & { readonly thread: Thread } {
  const chat = useChat();
  const thread = useMemo(() => threadOf(chat, roomId, root), [chat, roomId, root]);
  useEffect(() => {
    const room = chat.room(roomId); // its changes are the thread's
    void room.open();
    void thread.open();
    return () => {
      thread.close();
      room.close();
    };
  }, [chat, roomId, thread]);
  return { ...useValue(thread as Observable<ThreadView>), thread };
}

/** Returns the messages of which the person is notified and which they have not read, oldest first. */
export const useNotices = (): readonly Notice[] => useLate(chat => chat.notices());

/** Returns what the person did, in all rooms, that the server may not have. A message also has its own, as `acts`. */
export const useUnsent = (): readonly Act[] => useLate(chat => chat.unsent());

/** Returns the items of a list of the chat; none until it is loaded. */
function useLate<T>(load: (chat: Chat) => Promise<Observable<readonly T[]>>): readonly T[] {
  const chat = useChat();
  const [list, setList] = useState<Observable<readonly T[]> | null>(null);
  useEffect(() => {
    let left = false;
    void load(chat).then(l => { if (!left) setList(l); }, () => undefined); // its code cannot be loaded now
    return () => { left = true; };
  }, [chat]);
  return useValue(list ?? none);
}

const none: Observable<readonly never[]> = { value: [], subscribe: () => () => undefined };

/** Returns a person's name and avatar; undefined until they are loaded, and for a person without any. */
export function usePerson(user: string): Card | undefined {
  const { people } = useChat();
  useEffect(() => people.need(user), [people, user]);
  return useValue(people)[user];
}
