// Written by web/types.mjs from api/openapi.json.

export interface paths {
    "/bulk/memberships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give many people roles in rooms
         * @description For services. Each entry is like a PUT /rooms/{room}/members/{user}. Somebody who becomes a moderator or an owner without being in the room joins as a member first. The answer is 200 and has a result for each entry, in order. Entries are independent: a refused one does not stop the others. An entry that is repeated changes nothing more, so send those whose problem is retryable again. Each entry is charged like a request of its own. Entries that were not begun within 10 seconds have the status 503.
         */
        post: operations["post-memberships"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bulk/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the profiles of many people
         * @description For services. Each entry is what PUT /people/{user} accepts, with the user. The answer is 200 and has a result for each entry, in order. Entries are independent: a refused one does not stop the others. An entry that is repeated changes nothing more, so send those whose problem is retryable again. Each entry is charged like a request of its own. Entries that were not begun within 10 seconds have the status 503.
         */
        post: operations["post-people"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bulk/rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create many rooms, or replace their settings
         * @description For services. Each entry is what PUT /rooms/{room} accepts, with the id. The answer is 200 and has a result for each entry, in order. Entries are independent: a refused one does not stop the others. An entry that is repeated changes nothing more, so send those whose problem is retryable again. Each entry is charged like a request of its own. Entries that were not begun within 10 seconds have the status 503.
         */
        post: operations["post-rooms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/devices/{device}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a device
         * @description Newest first. Logs belong to a user: another user's device of the same name has another log.
         */
        get: operations["list-events"];
        put?: never;
        /**
         * Report events of a device
         * @description Answers with the events as stored, in the order of the batch. A retry of a batch, or of a part of it, stores each event once. Two events with the same time are both stored, a microsecond apart. Each event counts as one message against the sender's rate. Entries expire after 30 days, unless the deployment sets another time; an older event is refused.
         */
        post: operations["post-events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your hooks
         * @description For services, experimental: the hooks that the calling service made.
         */
        get: operations["list-hooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/{hook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a hook
         * @description For the service that made it, experimental. What waits may be behind by a second.
         */
        get: operations["get-hook"];
        /**
         * Create a hook
         * @description For services, experimental. A hook gives a program all changes of rooms, in the order of each room, from its creation on. With a url they are sent there, signed as in Standard Webhooks, until each request is accepted; without one, list-hook-changes returns them. A repeated request changes nothing; with another selection, rooms that are new to the hook begin with their next change. Private and direct rooms are included only if the deployment allows it. A deployment has at most 200 hooks; 409 for one more. Other services may have hooks with the same id. 404 if the deployment has no hooks.
         */
        put: operations["put-hook"];
        post?: never;
        /**
         * Delete a hook
         * @description For the service that made it, experimental. A hook that is created again begins anew.
         */
        delete: operations["delete-hook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/{hook}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch the changes that wait for a hook
         * @description For the service that made the hook, experimental. Returns what changed in the hook's rooms since the answers that were received: at most 100 changes or 256 KB, and more rooms with the next call. A change arrives within some seconds, and stays until it is received, for as long as changes are stored (90 days by default). A program that stores the id of each answer with its own work, and gives the last one as received, misses nothing and knows what is repeated: equal changes have an equal id. One program at a time may fetch; call every few seconds, or at once with more. 409 for a hook with a url.
         */
        get: operations["list-hook-changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/{hook}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive changes again
         * @description For the service that made the hook, experimental. Its program receives everything again that changed since a time, with messages in their current state. Changes are stored for 90 days by default; a room whose changes since then are no longer stored has reset.
         */
        post: operations["replay-hook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/{hook}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a hook
         * @description For the service that made the hook, experimental. Requests have two signatures for a day, one by the new secret and one by the secret before. 409 for a hook whose program fetches.
         */
        post: operations["replace-hook-secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/{hook}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test to a hook
         * @description For the service that made the hook, experimental. Within seconds its url is sent a request of type test without changes, also while others wait; get-hook shows the answer. If it is accepted, a pause ends. 409 for a hook whose program fetches.
         */
        post: operations["test-hook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/in/{secret}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post a message by an incoming webhook; needs no access token
         * @description For programs that have the secret. The body is {"text"} or anything else in the format of Slack's incoming webhooks: attachments and blocks become text, the sender's name and picture are ignored, and a text beyond 32768 bytes is cut. It may also be the field payload of a form. A bot with the webhook's name posts the message. 404 when there is no such webhook or its room is deleted, 403 when the room is archived.
         */
        post: operations["use-incoming"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invites/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say who invites where; needs no access token
         * @description For everybody who has the invitation's token, signed in or not: it would let them in. 404 when it admits nobody, for whichever reason: it is unknown, expired, revoked or used up, its creator may no longer invite, or the room is archived or deleted. Reading it does not use it up.
         */
        get: operations["get-invite"];
        put?: never;
        /**
         * Come in by an invitation
         * @description 201 with the membership, and one use is taken. 200 for people who are in the room: nothing changes, so a retry is safe. A mute stays in effect. 404 when it does not admit the caller, for whichever reason: it is unknown, expired, revoked or used up, its creator may no longer invite, the room is archived or deleted, or the caller is banned from it.
         */
        post: operations["use-invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find people
         * @description Sorted by name; with name, by the word that matches, with each person once. Takes exactly one of ids, name, title, had_title and state. title, had_title and state match whole values and distinguish upper and lower case. ids gives names, avatars, pictures, statuses and kinds in the order of the ids; someone without a profile has their id as the name. A change of the last second may be missing. 403 if the deployment's directory is not for the caller; ids are for everyone.
         */
        get: operations["list-people"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set your profile
         * @description 201 the first time, then 200. Replaces the profile: omitted fields are removed, except the picture. A title that is replaced or removed becomes a previous title, and one that is set again no longer is. The latest 20 previous titles are kept. If the deployment lets only services change the facts of profiles, another name, title, state, hiring date or metadata is 403.
         */
        put: operations["put-person"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your profile
         * @description Changes the given values of the profile, and keeps the others. Before the profile is saved, its name is the name in the token, or the id. If the deployment lets only services change the facts of profiles, another name, title, state, hiring date or metadata is 403.
         */
        patch: operations["patch-person"];
        trace?: never;
    };
    "/people/me/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people whom you have blocked
         * @description The whole list in one answer. Only the caller can read it.
         */
        get: operations["list-blocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/me/blocks/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Block a person
         * @description The caller's list of rooms then leaves out direct rooms with the person and rooms to which they added the caller, their messages do not count as unread, and they are marked as blocked when the caller reads them. Live connections no longer report to either of them that the other is typing, and the person sees the caller as offline. This may take some seconds. The person cannot tell that they are blocked. A person who is blocked already stays blocked. At most 1,000 people may be blocked (409).
         */
        put: operations["put-block"];
        post?: never;
        /**
         * Unblock a person
         * @description It also succeeds for a person who is not blocked.
         */
        delete: operations["delete-block"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/me/heads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List how far the caller's rooms are
         * @description All rooms of the caller's list in one answer, sorted by activity, newest first, without their contents. A client compares the heads with the heads it knows, and requests only the rooms that have changed. The list omits deleted rooms and rooms to which a blocked person added the caller, but includes direct rooms with blocked people. It costs half a read unit for each room.
         */
        get: operations["list-heads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/me/mentions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's mentions
         * @description The messages that mention the caller by name, in all rooms, replies in threads too: the newest first, in their current state. Messages that mention everyone in a room are not listed; they count in the room's mentions. The list has no message that is deleted, that no longer mentions the caller, or whose room the caller may not read now, and none of blocked people, so a page may be shorter; it ends early at 1 MB. A mention of the last seconds may be missing.
         */
        get: operations["list-mentions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/me/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your settings of notifications
         * @description What the caller has chosen for notifications on all devices. A change of the last second may be missing. It costs half a read unit. docs/notifications.md says what decides about a message.
         */
        get: operations["get-notifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your settings of notifications
         * @description Changes the given values, and keeps the others. The caller's connections get notifications.changed. Nobody else sees the settings, except a service that acts for the caller.
         */
        patch: operations["patch-notifications"];
        trace?: never;
    };
    "/people/me/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Announce a picture of yourself
         * @description WebP, JPEG or PNG, of at most 64 KB, without data about the place and the camera. The answer says how the client sends the bytes: by PUT, with exactly the given headers. Storage then refuses other bytes, another size or type (400, 403), and a second picture (412). The picture is shown once patch-person has set picture to its SHA-256, which removes the former one. A new announcement removes a picture that was sent before and not set. 409 when the deployment stores no files.
         */
        post: operations["post-picture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/me/saved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages that you saved
         * @description Sorted by the time of saving, newest first, with the messages in their current state. The list omits deleted messages and messages in rooms that the caller can no longer read. A page may therefore hold fewer than limit, or no messages at all, and still have next. It ends early at 1 MB.
         */
        get: operations["list-saved"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/me/saved/{room}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save a message for yourself
         * @description For everyone who may read the room. Nobody else sees it. A message that is saved already keeps its place. 409 (conflict) for a deleted message.
         */
        put: operations["put-saved"];
        post?: never;
        /**
         * Remove a message from those you saved
         * @description It also succeeds for a message that is not saved.
         */
        delete: operations["delete-saved"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/me/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the threads that you follow
         * @description Threads of all rooms, sorted by their message, newest first. People follow a thread automatically when they reply in it, and when their message gets a reply. Threads of rooms that the caller may no longer read are left out, so a page may be shorter. It ends early at 1 MB.
         */
        get: operations["list-own-threads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a person
         * @description 404 for another user without a profile. The caller always has one: before it is saved, it has the name in their token, or their id. To show members and senders use include=people, which needs no profile. The ETag changes with any part of the answer. The number before its - is the profile's revision: it rises with each change of the profile, and is 0 before the profile is saved, and where the directory hides a part of it.
         */
        get: operations["get-person"];
        /**
         * Set a person's profile
         * @description For services, which may set anybody's profile, even for people who have never signed in. The fields and the answers are as for the caller's own profile: 201 the first time, then 200.
         */
        put: operations["put-person-by-id"];
        post?: never;
        /**
         * Delete a person
         * @description For services. 202: the person is suspended, with the reason deleted unless they were suspended already, and all of their data is removed soon afterwards: memberships, including bans and mutes, the profile with its facts, read markers, preferences about rooms, blocks, saved messages, followed threads and mentions. Rooms get member.changed, as when a person leaves. If they are a room's only owner, the calling service becomes its owner. What they have written and given in rooms stays under their id: messages, reactions, votes and documents, which moderators delete. When the work is done, get-person answers 404. The id stays suspended until a service ends the suspension; then the person starts over. A repeated request also returns 202. It removes data added in the meantime, and resumes a removal that has stopped.
         */
        delete: operations["delete-person"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{user}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit of a person
         * @description For services, newest first: when the person was suspended, by which service and for which reason, and when that ended; and when their deletion was asked for. Entries expire after 30 days, unless the deployment sets another time.
         */
        get: operations["list-person-audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{user}/rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a person's rooms
         * @description The rooms that the caller has joined, private ones too, and none that banned them: those with the newest activity first. A room with activity between two pages moves to the beginning of the list. Each page reads the heads of all rooms: to find those that have changed, ask for include=heads or list-heads, and then for their ids. A service that acts for nobody lists anyone's rooms, as that person sees them but without preferences. Other people's lists are refused to everyone else, because they would reveal hidden rooms.
         */
        get: operations["list-rooms-of-person"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{user}/rooms/{room}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set what you prefer about a room
         * @description Replaces the caller's preferences about a room that they are in, a direct or archived one too. An absent field gets its default. Nobody else can see the preferences, not even a service that lists the person's rooms. The caller's connections get preferences.changed. Preferences remain when the person leaves the room, and apply again when they return. Only the person, or a service that acts for the person, may set them. 404 (not-found) also for a room that the caller is not in.
         */
        put: operations["put-preferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{user}/suspension": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read whether a person is suspended
         * @description For services. 404 if the person is not suspended. A change of the last second may be missing.
         */
        get: operations["get-suspension"];
        /**
         * Suspend a person
         * @description For services. Within five seconds nothing is accepted from the person, nor from a service that acts for them: every request is answered with 403 (suspended), and their connections are closed. What they have written stays. A person who is suspended already stays so, with the first reason. A user id that nobody has yet can be suspended, too.
         */
        put: operations["put-suspension"];
        post?: never;
        /**
         * End a suspension
         * @description For services. The person may write immediately, and read within five seconds. It also succeeds for a person who is not suspended. 409 while the person is being deleted.
         */
        delete: operations["delete-suspension"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open reports of all rooms
         * @description Only for services, newest first. Includes reports in direct rooms and other private rooms.
         */
        get: operations["list-open-reports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find public rooms by place
         * @description Sorted by place. A level matches only as a whole: US does not match USA. The list omits rooms that have banned the caller, so a page may have fewer than limit.
         */
        get: operations["list-rooms"];
        put?: never;
        /**
         * Create a private room, or open a direct room
         * @description The server chooses the id, so that creating rooms cannot reveal existing ones. Only members can find out that the room exists. A private room needs a name, and the caller becomes its owner. With requestId, a retry with the same content answers 200 and the header Idempotent-Replay: true, with the room in its current state; without it, a retry creates another room. 409 (conflict) when the requestId was used for other content, or when the caller can no longer see its room; 409 (clock-skew, with the server's time) when the time in the requestId is out of bounds. A direct room belongs to the caller and one to nine others: 201 the first time, and 200 with the same room for each of them afterwards. Everyone in it is a member, nobody administers it, and anyone may leave; opening it again brings back everyone who has left.
         */
        post: operations["post-room"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a room
         * @description The settings of a room that the caller may read. For a person who is in the room, me has their role, their read marker and their unread counts; a read marker that was moved within the last second may still have its former position. The ETag changes with any part of the answer. The number before its - is the revision of the settings: it rises when they change, when the room is archived and when another service owns it, and not with messages, members, markers or shards.
         */
        get: operations["get-room"];
        /**
         * Create a room, or replace a room's settings
         * @description 201 when the room is new; the caller becomes its owner. A service, as itself, owns the room without being a member, and may create private rooms, whose ids begin with p-. 200 when the caller owns it: the request replaces its settings, and omitted settings get their defaults. archived, shards and the name of a private room keep their values if omitted. 403 for the room's other members. For everyone else the id is taken, which is 409. With If-None-Match: * it only creates: 412 when the caller owns the room. With If-Match it never creates, and does not change shards. A new room is also a 409 for a person in 1,000 rooms that are not archived.
         */
        put: operations["put-room"];
        post?: never;
        /**
         * Delete a room
         * @description For owners. From then on, requests for the room and everything in it return 404, even to its owners and even as a retry after a lost answer. The id cannot be reused: creating a room with it is 409. A deletion cannot be undone. Nobody can read the messages any more, but the table keeps them until the operator purges the room, and backups keep them until the recovery period ends.
         */
        delete: operations["delete-room"];
        options?: never;
        head?: never;
        /**
         * Change a room's settings
         * @description For the room's owners. The given settings change, and the others stay. With If-Match, shards cannot be changed.
         */
        patch: operations["patch-room"];
        trace?: never;
    };
    "/rooms/{room}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a room
         * @description Sorted by upload, newest first. A page may hold fewer than limit: the list ends where next is absent.
         */
        get: operations["list-files"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/attachments/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get links to files
         * @description The addresses of the files of up to 50 messages, which may have 400 files together. Messages that do not exist or are deleted have none. For two minutes the same address is returned, so that browsers cache the file. Files that a browser could run are sent as downloads.
         */
        post: operations["post-links"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit of a room
         * @description Newest first, for the room's moderators and owners: settings, joins and leaves, roles, bans, removals, deleted messages, pins, documents. Entries expire after 30 days, unless the deployment sets another period.
         */
        get: operations["list-audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/bans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people who are banned from a room
         * @description By name, for moderators and owners. Bans that have ended are left out.
         */
        get: operations["list-bans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the changes since a position
         * @description The changes after since, in order and without holes. A change of a message has the message as the change left it, or a later state: a text that was deleted since may show for about a second, as in list-messages. A change of a member has the current role. Several changes of one membership, of the settings, of one message's counts or of its pin within a moment may be one. A page holds at most limit changes and ends early at 1 MB. reset is true when since is older than the stored changes (90 days by default), beyond head, or from before a backup was restored. since is opaque and of one room: a number, or the since of another room, is refused (422). A client that was away continues with the last since that it received, and drops repeated changes by seq.
         */
        get: operations["list-changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a room's documents
         * @description By id. All who may read the room see the titles, even of documents that they may not read. A document created in the last second may be missing.
         */
        get: operations["list-documents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/documents/{doc}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a document with the newest version of every part
         * @description By part. A page of parts holds at most limit of them and ends early at 1 MB.
         */
        get: operations["get-document"];
        /**
         * Create a document, or replace its title and permissions
         * @description 201 when the document is new; everyone who may post in the room may create one. 200 when it exists: omitted values get their defaults. Only the room's moderators and owners set read and write or change a document, and only if they may write it before and after the change. 412 when another request changed it at the same time.
         */
        put: operations["put-document"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a document's title and permissions
         * @description The given values change, and the others stay. Only the room's moderators and owners change a document, and only if they may write it before and after the change. 412 when another request changed it at the same time.
         */
        patch: operations["patch-document"];
        trace?: never;
    };
    "/rooms/{room}/documents/{doc}/parts/{part}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the newest version of a part
         * @description The text with its version, whose number is the ETag.
         */
        get: operations["get-part"];
        /**
         * Save a new version of a part
         * @description 201 for the first version of a part, which also creates the document if there is none. 200 for each further version, which needs If-Match with the ETag of the newest one. 412 (stale) when If-Match names another version, 428 (precondition-required) when it is missing. A retry of the newest save answers 200 and Idempotent-Replay: true.
         */
        put: operations["put-part"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/documents/{doc}/parts/{part}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a part
         * @description Newest first. A page holds at most limit versions and ends early at 1 MB. Versions never change and are never removed.
         */
        get: operations["list-versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/documents/{doc}/parts/{part}/versions/{n}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one version of a part
         * @description A version never changes, so that it may be stored.
         */
        get: operations["get-version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the hooks of a room
         * @description For owners, and for services with the room, experimental: all of them, at most 5.
         */
        get: operations["list-room-hooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/hooks/{hook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a hook of a room
         * @description For owners, and for services with the room, experimental. What waits may be behind by a second.
         */
        get: operations["get-room-hook"];
        /**
         * Create a hook of a room
         * @description For owners, experimental. All changes of the room from now on are sent to a url, as for put-hook, once its receiver has answered a challenge: a request of type challenge, whose answer must be data.challenge, as text or in JSON, as challenge. It is sent again for a new url, and by test-room-hook. A room has at most 5 hooks, and a person has put at most 5 in all rooms; 409 for one more. It ends when this person is no longer an owner. Services have hooks of their own. 404 if the deployment has no hooks of rooms.
         */
        put: operations["put-room-hook"];
        post?: never;
        /**
         * Delete a hook of a room
         * @description For owners, and for services with the room, experimental.
         */
        delete: operations["delete-room-hook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/hooks/{hook}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send changes of a room again
         * @description For owners, and for services with the room, experimental: as replay-hook.
         */
        post: operations["replay-room-hook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/hooks/{hook}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a hook of a room
         * @description For owners, and for services with the room, experimental: as replace-hook-secret.
         */
        post: operations["replace-room-hook-secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/hooks/{hook}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test to a hook of a room
         * @description For owners, and for services with the room, experimental: as test-hook. An unverified hook is sent the challenge again.
         */
        post: operations["test-room-hook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/incoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the incoming webhooks of a room
         * @description For owners, and for services with the room: all of them, without secrets.
         */
        get: operations["list-incoming"];
        put?: never;
        /**
         * Create an incoming webhook
         * @description For owners, and for services with the room. Every program with the secret may post messages into the room, and read nothing. A room has at most 5. A retry creates another one, since the secret of the first was lost with its answer: remove that one. Direct and archived rooms get none.
         */
        post: operations["post-incoming"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/incoming/{incoming}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an incoming webhook
         * @description For owners, and for services with the room, also in an archived one. It posts nothing from then on; its messages stay. Removing it again changes nothing.
         */
        delete: operations["delete-incoming"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/incoming/{incoming}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of an incoming webhook
         * @description For owners, and for services with the room. The former secret posts nothing from then on, within a second. A retry replaces it again, since the first one was lost with its answer.
         */
        post: operations["post-incoming-secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live invitations of a room
         * @description For moderators and owners, newest first, without tokens. The list omits invitations that have expired, are used up or were revoked. It may be behind by a second.
         */
        get: operations["list-invites"];
        put?: never;
        /**
         * Create an invitation link
         * @description For moderators and owners. Everybody with the token may come in, also to a private room. A room has at most 50 live invitations. A retry creates another invitation, since the token of the first was lost with its answer: revoke that one, or let it expire. Direct and archived rooms have no invitations.
         */
        post: operations["post-invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/invites/{invite}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description For moderators and owners. The invitation admits nobody from then on; people whom it admitted stay. Revoking it again changes nothing.
         */
        delete: operations["delete-invite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a room
         * @description Sorted by the names that the members had when their memberships last changed. The list omits people who have left, and banned people, who have a separate list. In a direct room, and in one of at most 50 members unless its receipts are off, people in the room also see how far each has read.
         */
        get: operations["list-members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/members/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a member of a room
         * @description 404 when the person is not in the room. Moderators and owners also get banned people, and banned people get their own ban from a public room.
         */
        get: operations["get-member"];
        /**
         * Join, invite, or change a role
         * @description With me and the role member: join a public room. With another user: moderators invite, mute and ban, and owners also appoint moderators and owners, who must be members before. An owner's role is changed by another owner, so that a room always has one. A mute or ban may have an end and a reason. When it ends, the person has the former role again; no change is reported then. In a private room, a mute with an end admits nobody. 201 when the user was not in the room before. With strict, 422 for a user without a profile.
         */
        put: operations["put-member"];
        post?: never;
        /**
         * Leave, remove, or lift a ban
         * @description With me: leave. The last owner cannot leave, unless a service owns the room: they hand it over, or delete it. Only moderators and owners remove others. A mute stays after leaving, and only a moderator or an owner lifts a ban. The person then has the former role again, which the caller must be allowed to give.
         */
        delete: operations["delete-member"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages
         * @description Newest first by default. A page holds at most limit messages and ends early at 1 MB. With a cursor it may also hold up to a quarter fewer: the list ends where next is absent, and not with a short page. at excludes from and to; around excludes all but limit. before and after begin at the message next to the given one, for a client that has no cursor there. They exclude all parameters except user and limit, and next continues in their order. include works with every parameter. cursor must come with the parameters of the query that returned it, and is refused with another room or query (400).
         */
        get: operations["list-messages"];
        put?: never;
        /**
         * Post a message
         * @description 201 with the stored message. A retry with the same id and content answers 200 and the header Idempotent-Replay: true, with the message in its current state, even after an edit or a deletion. 409 (conflict) when the id was used for other content, 409 (clock-skew, with the server's time) when the time in the id is out of bounds. A reply to an unknown message, or to a reply, is refused (422), and the detail names the root of the latter's thread. 409 when the root is deleted. An attachment that is not an upload of the caller, that another message has or whose bytes were not sent is refused (422).
         */
        post: operations["post-message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message
         * @description The message in its current state; a deleted one has an empty text.
         */
        get: operations["get-message"];
        put?: never;
        post?: never;
        /**
         * Delete a message
         * @description For its author and for moderators. Answers with the tombstone that replaces the message. The text and the metadata are removed, also from all versions. The table's stream has them for 24 hours more, and its backups for the recovery period. 412 (stale) when If-Match is not the message's ETag. A repeated deletion answers 200.
         */
        delete: operations["delete-message"];
        options?: never;
        head?: never;
        /**
         * Edit a message
         * @description For its author, if they may still post. Changes the given fields: text, metadata, mentions; the former text and metadata remain as a version. Without If-Match the last edit wins, and an edit that changes nothing is not stored. 412 (stale) when If-Match is not the message's ETag. 409 (conflict) when the message is deleted, was edited 90 times, its versions would exceed 262144 bytes together, or the text is the question of a poll in which somebody has voted, by counts that may be a second old. A retry of the newest edit answers 200 and Idempotent-Replay: true.
         */
        patch: operations["patch-message"];
        trace?: never;
    };
    "/rooms/{room}/messages/{id}/follow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Follow a thread
         * @description Adds the thread of a message to list-own-threads. Replies from then on count as unread. The thread may have no replies yet.
         */
        put: operations["put-follow"];
        post?: never;
        /**
         * Unfollow a thread
         * @description Permanently: if the caller replies later, they do not follow the thread again; put-follow does that. It also succeeds for a thread that the caller does not follow.
         */
        delete: operations["delete-follow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/messages/{id}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Pin a message
         * @description For moderators and owners, for members if the room's pinning allows it, and for everyone in a direct room. A message that is pinned already stays pinned. 409 (conflict) when the room has 100 pins, and for a deleted message. A deletion unpins. It is audited.
         */
        put: operations["put-pin"];
        post?: never;
        /**
         * Unpin a message
         * @description For people who may pin. It also succeeds for a message that is not pinned. It is audited.
         */
        delete: operations["delete-pin"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/messages/{id}/reactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who reacted to a message with an emoji
         * @description Ordered by user id. A deleted message has no reactions. The list may be behind by a second.
         */
        get: operations["list-reactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/messages/{id}/reactions/{emoji}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * React to a message
         * @description For everyone in the room; for everyone, if the room is public and everyone may post in it. A repeated call changes nothing. The message's counts follow within about a second, as counts.changed. 409 when the message is deleted, when it has 20 other emoji, and when 10,000 people have reacted with this one. 422 when it is not an emoji; there are no custom emoji such as :party:.
         */
        put: operations["put-reaction"];
        post?: never;
        /**
         * Take back a reaction
         * @description Removes the caller's reaction, and also succeeds when there is no such reaction.
         */
        delete: operations["delete-reaction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/messages/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Move your read marker in a thread
         * @description Sets the caller's marker in the thread of a message, after which its replies count as unread. It never moves back: a request with an earlier number, for example from another device, returns the current marker. Everyone who may read the room has a marker, even without following the thread.
         */
        put: operations["put-thread-read"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/messages/{id}/replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the replies to a message
         * @description Includes the replies that the room also lists, and tombstones of deleted replies. Newest first by default; a page ends early at 1 MB. A deleted message keeps its replies. 422 for the id of a reply; the detail names the root of its thread.
         */
        get: operations["list-replies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/messages/{id}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a message
         * @description For everyone who may read the room. 201 the first time. A person reports a message once: later requests answer 200 with the first report. Moderators of the room and services see it. It does not hold the text. An archived room takes no reports.
         */
        post: operations["post-report"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/messages/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a message
         * @description The original and every edit, newest first. Versions never change, but a deletion removes the text and the metadata from all of them. A page holds at most limit versions and ends early at 1 MB.
         */
        get: operations["list-message-versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/messages/{id}/vote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Vote in a poll
         * @description For everyone who may react to the message. A vote replaces the caller's earlier one. The message's counts follow within about a second, as counts.changed. 404 when the message has no poll. 409 when the message is deleted, when the poll has ended, and when 10,000 people have voted.
         */
        put: operations["put-vote"];
        post?: never;
        /**
         * Take back a vote
         * @description Removes the caller's vote, and also succeeds when they have not voted. 409 when the message is deleted or the poll has ended.
         */
        delete: operations["delete-vote"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/messages/{id}/votes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the votes in a poll
         * @description Ordered by user id. 403 for an anonymous poll, 404 when the message has no poll, also after its deletion. The list may be behind by a second.
         */
        get: operations["list-votes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/online": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who is online in a room
         * @description The people with a live connection that is subscribed to the room, each once, in any role, except people who have blocked the caller. A connection that was lost without being closed may count for some minutes. In a small room, live connections are notified when people come and go.
         */
        get: operations["get-online"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/owner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Hand a room over
         * @description For owners. In one step, a member becomes an owner and the caller a moderator. A room may have several owners: to appoint another one and stay an owner, change the person's role. A service that owns the room gives it away. A service that acts for an owner may name itself: then it owns the room, without being a member.
         */
        put: operations["put-owner"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/pins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pinned messages of a room
         * @description The newest pin first, with the messages in their current state, at most 100 in all. A page holds at most limit of them and ends early at 1 MB.
         */
        get: operations["list-pins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Move your read marker
         * @description Sets the caller's read marker in a room, after which messages count as unread. The body has exactly one of message, seq and unreadFrom. With message or seq, a marker never moves back: a request with an earlier one, for example from another device, returns the current marker. unreadFrom places the marker before a message, forward or back, and so marks this message and all later ones as unread. A message that is not in the room's feed yet stands for the end of the feed. One whose change is older than the feed keeps is refused. Everyone who may read the room has a marker; the list of the caller's rooms shows it for the rooms that they joined.
         */
        put: operations["put-read"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the reports of a room
         * @description For the room's moderators and owners: open and resolved reports, in the order of their messages.
         */
        get: operations["list-reports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/reports/{report}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Resolve a report
         * @description For the room's moderators and owners, and for services in any room, even an archived one. It is audited. A report that is resolved does not change.
         */
        patch: operations["patch-report"];
        trace?: never;
    };
    "/rooms/{room}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the messages of a room
         * @description Messages and replies. in: may only name the room of the path. Each word must begin a word of the text or of a file's name; a "phrase" must be whole words in order; -word and -"phrase" must be absent. Case, accents and width do not matter. In scripts without spaces, such as Chinese, words may begin anywhere. Filters: in:room, from:user, mentions:user (or me), before:, after: and on: a day such as 2026-01-31, has:link, has:file, has:reaction and is:thread. Newest first, each message in its current state; deleted ones are never found. One request does a bounded amount of work, so a page may hold fewer than limit, even none, and still have next. The work beyond the first 15 MB of scanned text is charged to the limit of reads while it is done: if that is used up before there is a result, the answer is 429.
         */
        get: operations["search-room"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the threads of a room
         * @description The messages that have replies, sorted by their newest reply, newest first, to the minute. A thread with a new reply between two pages moves to the beginning of the list. A thread stays in the list when its replies or its message are deleted. A page ends early at 1 MB.
         */
        get: operations["list-threads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Announce a file
         * @description For everyone who may post in the room. The answer says how the client sends the bytes: by PUT, with exactly the given headers. Storage then refuses other bytes, another size or type (400, 403), and a second file (412, which means that a retry's first attempt arrived). A file waits 47 hours for its message. Without one it is removed, and its id is refused for up to two days: 412, and 422 for the message. 422 names the field that breaks a rule or a limit, before any byte is sent. 429 when the caller has reached the day's limit. 409 when the id was used for another file, and when the deployment stores no files.
         */
        post: operations["post-upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the messages of your rooms
         * @description Messages and replies of the rooms that the caller has joined or, with in:, of any room that they may read. Each word must begin a word of the text or of a file's name; a "phrase" must be whole words in order; -word and -"phrase" must be absent. Case, accents and width do not matter. In scripts without spaces, such as Chinese, words may begin anywhere. Filters: in:room, from:user, mentions:user (or me), before:, after: and on: a day such as 2026-01-31, has:link, has:file, has:reaction and is:thread. Newest first, each message in its current state; deleted ones are never found. One request does a bounded amount of work, so a page may hold fewer than limit, even none, and still have next. The work beyond the first 15 MB of scanned text is charged to the limit of reads while it is done: if that is used up before there is a result, the answer is 429.
         */
        get: operations["search-messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Attachment: {
            /**
             * @description Describes it to people who cannot see it
             * @example The plan of the ground floor
             */
            alt?: string;
            /**
             * Format: int64
             * @description The size
             * @example 48213
             */
            bytes: number;
            /**
             * Format: int64
             * @description Of a picture or video: the height in pixels
             * @example 720
             */
            height?: number;
            /**
             * Format: uuid
             * @description The id of the upload. post-links returns the address of its bytes
             * @example 01890a5d-ac96-774b-bcce-b302099a8058
             */
            id: string;
            /**
             * @description The file's name
             * @example plan.png
             */
            name: string;
            /**
             * @description A ThumbHash in base64, which is shown until the picture is loaded
             * @example 3OcRJYB4d3h/iIeHeEh3eIhw+j2w
             */
            placeholder?: string;
            /** @description It has a smaller picture */
            preview?: boolean;
            /**
             * @description The media type that the sender stated
             * @example image/png
             */
            type: string;
            /**
             * Format: int64
             * @description Of a picture or video: the width in pixels
             * @example 1280
             */
            width?: number;
        };
        AuditEntry: {
            /**
             * @description What was done; later versions may add others
             * @example member.role
             */
            action: "room.created" | "room.changed" | "room.deleted" | "member.joined" | "member.left" | "member.role" | "member.banned" | "member.unbanned" | "member.removed" | "owner.changed" | "invite.created" | "invite.revoked" | "invite.used" | "incoming.created" | "incoming.replaced" | "incoming.removed" | "hook.created" | "hook.changed" | "hook.replaced" | "hook.removed" | "message.deleted" | "pin.added" | "pin.removed" | "report.resolved" | "document.created" | "document.changed" | "document.saved" | "person.suspended" | "person.unsuspended" | "person.deleted";
            /** Format: date-time */
            at: string;
            /**
             * @description The user who acted
             * @example amsg
             */
            by: string;
            /** @description The new role, the names of the changed settings, the reason of a suspension, the id of the message or of the invitation, the document with its new permissions, or the document, part and version that were saved */
            detail?: string;
            /** @description The user who was affected */
            on?: string;
            /** @description The service that acted on the user's behalf */
            via?: string;
        };
        AuditPage: {
            items: components["schemas"]["AuditEntry"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
        };
        BanPage: {
            items: components["schemas"]["Member"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
            /** @description With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old */
            people?: {
                [key: string]: components["schemas"]["Card"];
            };
        };
        Block: {
            /** @example bob */
            user: string;
        };
        BlockPage: {
            /** @description In the order of their ids, at most 1,000 */
            items: components["schemas"]["Block"][];
        };
        BulkResults: {
            /** @description The outcome of each entry, in the order of the request */
            items: components["schemas"]["EntryResult"][];
        };
        BytesGiven: {
            /**
             * Format: int64
             * @description The exact size
             * @example 48213
             */
            bytes: number;
            /**
             * @description The SHA-256 of the bytes, in base64
             * @example 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
             */
            sha256: string;
            /**
             * @description The media type, without parameters, in lower case, at most 80 bytes
             * @example image/png
             */
            type: string;
        };
        Card: {
            /**
             * Format: uri
             * @description The https URL of a picture; absent without one
             * @example https://example.com/rhianna.png
             */
            avatar?: string;
            /** @description bot for the account of a program; absent for a person */
            kind?: "bot";
            /**
             * @description The id of a person without a profile
             * @example Rhianna Cohen
             */
            name: string;
            /**
             * @description The SHA-256 of an uploaded picture, whose address list-people gives with ids; absent without one
             * @example 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
             */
            picture?: string;
            /**
             * @description What the name looks like: names that look alike have the same. Compare it, and never show or store it
             * @example rhlanna cohen
             */
            skeleton: string;
            /** @description Absent without one, and after its end */
            status?: components["schemas"]["Status"];
        };
        Change: {
            /**
             * @description Of message.…, reply.created, counts.changed and pins.changed: the message's id
             * @example 01890a5d-ac96-774b-bcce-b302099a8057~amsg
             */
            id?: string;
            /** @description Of unknown: the key of an item that could not be read, for operators; absent for a change that a newer version wrote */
            key?: string;
            /** @description Of member.changed */
            member?: components["schemas"]["ChangedMember"];
            /** @description Of message.…, reply.created and counts.changed: the message in this revision or a later one, mostly the current one; absent when it no longer exists */
            message?: components["schemas"]["Message"];
            /** @description The frame of a live connection leaves the message out, because it is long or late: read it with list-changes. Absent over HTTP */
            omitted?: boolean;
            /** @description Of pins.changed: whether this change pinned the message; a later one may have undone it. list-pins returns the room's pins */
            pinned?: boolean;
            /**
             * Format: int64
             * @description Of message.… and reply.created: the revision that the change made; of counts.changed, the version of the message's counts
             * @example 1
             */
            revision?: number;
            /** @description Of room.changed, which is a change of the settings, or the creation: only the room's id, because reading the settings again costs a unit */
            room?: components["schemas"]["ChangedRoom"];
            /**
             * Format: int64
             * @description The sequence number: one more than the previous entry's
             * @example 42
             */
            seq: number;
            /** @description Of reply.created: the room lists the reply too */
            showInRoom?: boolean;
            /**
             * @description Of reply.created: the root of the reply's thread
             * @example 01890a5d-ac96-774b-bcce-b302099a8057~amsg
             */
            thread?: string;
            /**
             * @description What changed. A client passes over a type that it does not know, as it passes over unknown, and counts its seq
             * @example message.created
             */
            type: "message.created" | "message.edited" | "message.deleted" | "reply.created" | "counts.changed" | "pins.changed" | "member.changed" | "room.changed" | "unknown";
        };
        ChangePage: {
            /**
             * Format: int64
             * @description The number of the newest change. There are more changes as long as it is greater than the last seq
             * @example 42
             */
            head: number;
            items: components["schemas"]["Change"][];
            /** @description With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old */
            people?: {
                [key: string]: components["schemas"]["Card"];
            };
            /** @description The feed cannot continue from since: begin again with a page of messages and its since */
            reset: boolean;
            /**
             * @description The position after the last of these changes, for the next request; absent with reset
             * @example AxZPuEFeRPfFBlJcMjAxOC0wOC0yOVQxMjowMDowMC4wMDA
             */
            since?: string;
        };
        ChangedMember: {
            /** @description The current role, which a later change may have set; absent for a person who is not in the list of members, having left, been removed or been banned */
            role?: "owner" | "moderator" | "member" | "muted";
            /** @example bob */
            user: string;
        };
        ChangedRoom: {
            /**
             * @description The room's id; its settings are in get-room
             * @example seattle
             */
            id: string;
        };
        CreatedInvite: {
            /** Format: date-time */
            createdAt: string;
            /**
             * @description The invitation admits people only while this user may invite
             * @example amsg
             */
            createdBy: string;
            /**
             * Format: date-time
             * @description From then on it admits nobody
             */
            expires: string;
            /**
             * @description Names the invitation; it admits nobody
             * @example 9f86d081884c7d659a2feaa0c55ad015
             */
            id: string;
            /**
             * Format: int64
             * @description How many people it admits
             */
            maxUses: number;
            /** @description The role of the people who come in */
            role: "member" | "moderator";
            /** @example seattle */
            room: string;
            /**
             * @description For POST /invites/{token}. Only this answer has it; the server stores its hash
             * @example mfrggzdfmztwq2lkmfrggzdfmztwq2lk
             */
            token: string;
            /**
             * Format: int64
             * @description How many people have come in
             */
            uses: number;
        };
        Document: {
            /** Format: date-time */
            createdAt: string;
            /** @description The user who created the document */
            createdBy: string;
            /**
             * @description The document's id
             * @example charter
             */
            document: string;
            /** @description The readers; room means all who may read the room. Absent in lists */
            read?: "room" | "everyone" | "members" | "moderators" | "owners";
            /** @example seattle */
            room: string;
            title: string;
            /** @description The readers who may also write; room means all who may post in the room. Absent in lists */
            write?: "room" | "everyone" | "members" | "moderators" | "owners";
        };
        DocumentPage: {
            items: components["schemas"]["Document"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
        };
        DocumentSettings: {
            /**
             * @description The readers. Default: all who may read the room
             * @enum {string}
             */
            read?: "room" | "everyone" | "members" | "moderators" | "owners";
            /** @description One line, at most 100 bytes of UTF-8. Default: the document's id */
            title?: string;
            /**
             * @description The readers who may also write. Default: all who may post in the room
             * @enum {string}
             */
            write?: "room" | "everyone" | "members" | "moderators" | "owners";
        };
        DocumentWithParts: {
            /** Format: date-time */
            createdAt: string;
            /** @description The user who created the document */
            createdBy: string;
            /**
             * @description The document's id
             * @example charter
             */
            document: string;
            /** @description The cursor of the next page of parts; absent on the last */
            next?: string;
            /** @description The newest version of every part, by part */
            parts: components["schemas"]["Part"][];
            /** @description The readers; room means all who may read the room. Absent in lists */
            read?: "room" | "everyone" | "members" | "moderators" | "owners";
            /** @example seattle */
            room: string;
            title: string;
            /** @description The readers who may also write; room means all who may post in the room. Absent in lists */
            write?: "room" | "everyone" | "members" | "moderators" | "owners";
        };
        EntryResult: {
            /**
             * @description The entry's room, in an answer about rooms
             * @example seattle
             */
            id?: string;
            /** @description Why the entry was refused; absent for a status below 400 */
            problem?: components["schemas"]["Problem"];
            /**
             * Format: int64
             * @description The seconds after which the entry may be repeated; present where Retry-After would be
             */
            retryAfter?: number;
            /**
             * @description The entry's room, in an answer about memberships
             * @example seattle
             */
            room?: string;
            /**
             * Format: int64
             * @description As if the entry were a request: 201 created it, 200 changed it or found it so
             * @example 201
             */
            status: number;
            /**
             * @description The entry's person
             * @example e129
             */
            user?: string;
        };
        /** @description An event of a device. Such logs show sort keys that are a numeric time; a device may be anything that reports events */
        Event: {
            /**
             * Format: date-time
             * @description The time of the event, or the next free microsecond
             */
            at: string;
            detail?: string;
            /** @description Identifies the event in a retry */
            id: string;
            /** @example connection */
            type: string;
        };
        EventPage: {
            items: components["schemas"]["Event"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
        };
        EventReport: {
            /**
             * Format: date-time
             * @description The time of the event (RFC 3339), to the microsecond. Default: the id's time. Required without an id. It may be as old as the log is kept, 30 days unless the deployment sets another time, and 2 seconds ahead
             */
            at?: string;
            /** @description At most 1000 bytes of UTF-8 */
            detail?: string;
            /**
             * Format: uuid
             * @description A UUIDv7, generated once for the event. Without an id, a retry is recognized by time, type and detail, and by the number of equal events in a batch
             */
            id?: string;
            /**
             * @description connection, delivery, error, or a type of the client's own
             * @example connection
             */
            type: string;
        };
        Fault: {
            /**
             * @description The field's path in the body, or the name of a parameter or a header; body for the body as a whole
             * @example events[0].at
             */
            location: string;
            /**
             * @description The rule that the field breaks
             * @example must not be empty
             */
            message: string;
        };
        File: {
            attachment: components["schemas"]["Attachment"];
            /**
             * @description The message that has the file
             * @example 01890a5d-ac96-774b-bcce-b302099a8057~amsg
             */
            message: string;
            /**
             * Format: date-time
             * @description When the message was sent
             */
            sentAt: string;
            /**
             * @description The sender
             * @example amsg
             */
            user: string;
        };
        FileLink: {
            /**
             * Format: date-time
             * @description When the addresses expire: in 3 to 5 minutes
             */
            expiresAt: string;
            /**
             * @description The attachment's id
             * @example 01890a5d-ac96-774b-bcce-b302099a8058
             */
            id: string;
            /**
             * @description The message that has the file
             * @example 01890a5d-ac96-774b-bcce-b302099a8057~amsg
             */
            message: string;
            /** @description The address of the smaller picture */
            preview?: string;
            /**
             * @description The address of the file, which may be relative to the API's. Send no token there
             * @example https://files.example.com/seattle/amsg/01890a5d-ac96-774b-bcce-b302099a8058?X-Amz-Signature=…
             */
            url: string;
        };
        FileLinks: {
            /** @description A link for each file, in the order of the messages */
            items: components["schemas"]["FileLink"][];
        };
        FilePage: {
            /** @description The last uploaded file first */
            items: components["schemas"]["File"][];
            /** @description The cursor of the next page; absent on the last page */
            next?: string;
        };
        GatewayMessage: {
            /**
             * @description The status in words
             * @example Unauthorized
             */
            message: string;
        };
        Hook: {
            /**
             * Format: date-time
             * @description It receives all changes since then
             */
            createdAt: string;
            /** @description False while its owner has switched it off */
            enabled: boolean;
            /** @example moderator */
            id: string;
            /**
             * @description It receives the changes of the rooms whose ids begin so
             * @example usa-
             */
            prefix?: string;
            /**
             * @description Of a room's hook: who put it last. It ends when this person is no longer an owner of the room
             * @example amsg
             */
            putBy?: string;
            /**
             * @description The rooms whose changes it receives; absent for a prefix or all
             * @example [
             *       "seattle"
             *     ]
             */
            rooms?: string[];
            /**
             * @description It receives only changes of these types; absent for all
             * @example [
             *       "message.created"
             *     ]
             */
            types?: string[];
            /**
             * @description Changes are sent there; absent for a hook whose program fetches
             * @example https://example.com/parley
             */
            url?: string;
        };
        HookChangePage: {
            /**
             * @description For received; absent when there are no changes
             * @example n4bQgYhMfWWaL-qgxVrQFQ
             */
            id?: string;
            /** @description The rooms with changes */
            items: components["schemas"]["HookRoom"][];
            /** @description Other changes wait already: call again at once */
            more: boolean;
        };
        HookFailure: {
            /** Format: date-time */
            at: string;
            /**
             * @description The status of the answer, or why there is none
             * @example 503 Service Unavailable
             */
            reason: string;
            /**
             * @description With seq, the change that was left out, as the receiver had refused it for a day
             * @example seattle
             */
            room?: string;
            /**
             * Format: int64
             * @example 42
             */
            seq?: number;
        };
        HookPage: {
            /** @description Sorted by their ids, all at once: there are at most 200 */
            items: components["schemas"]["Hook"][];
        };
        HookRoom: {
            /** @description In order and without holes. A message is in its current state */
            changes: components["schemas"]["Change"][];
            /** @description The room was deleted, with all that it had */
            deleted?: boolean;
            /** @example seattle */
            id: string;
            /** @description Changes before since are no longer stored, or a backup was restored: read the room's messages again */
            reset?: boolean;
            /**
             * @description The position after these changes, as list-changes and subscriptions take it; absent with deleted
             * @example AxZPuEFeRPfFBlJcMjAxOC0wOC0yOVQxMjowMDowMC4wMDA
             */
            since?: string;
        };
        HookSecret: {
            /**
             * @description It is not shown again
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret: string;
        };
        HookState: {
            /**
             * Format: date-time
             * @description It receives all changes since then
             */
            createdAt: string;
            /**
             * @description Of a disabled hook: the reason
             * @example the receiver answered 410
             */
            disabledFor?: string;
            /** @description False while its owner has switched it off */
            enabled: boolean;
            /** @description Of a hook with a url: the last requests that were not accepted, newest first, at most five */
            failures?: components["schemas"]["HookFailure"][];
            /** @example moderator */
            id: string;
            /**
             * Format: date-time
             * @description Of a paused hook: when the next request is sent
             */
            pausedUntil?: string;
            /**
             * @description It receives the changes of the rooms whose ids begin so
             * @example usa-
             */
            prefix?: string;
            /**
             * @description Of a room's hook: who put it last. It ends when this person is no longer an owner of the room
             * @example amsg
             */
            putBy?: string;
            /**
             * @description The rooms whose changes it receives; absent for a prefix or all
             * @example [
             *       "seattle"
             *     ]
             */
            rooms?: string[];
            /**
             * Format: date-time
             * @description When the oldest of these was noticed: how far the program is behind; absent when nothing waits
             */
            since?: string;
            /** @description Of a hook with a url: disabled means that it has failed for three days or that its receiver answered 410; off is its owner's wish; unverified means that the receiver of a room's hook has not answered the challenge */
            state?: "sending" | "paused" | "disabled" | "off" | "unverified";
            /**
             * @description What the receiver answered to it
             * @example 204 No Content
             */
            test?: string;
            /**
             * Format: date-time
             * @description When the last test was asked for that was sent
             */
            testedAt?: string;
            /**
             * @description It receives only changes of these types; absent for all
             * @example [
             *       "message.created"
             *     ]
             */
            types?: string[];
            /**
             * @description Changes are sent there; absent for a hook whose program fetches
             * @example https://example.com/parley
             */
            url?: string;
            /**
             * Format: int64
             * @description The number of rooms with changes that its program has not received; 100 means 100 or more
             * @example 0
             */
            waiting: number;
        };
        HookWithSecret: {
            /**
             * Format: date-time
             * @description It receives all changes since then
             */
            createdAt: string;
            /** @description False while its owner has switched it off */
            enabled: boolean;
            /** @example moderator */
            id: string;
            /**
             * @description It receives the changes of the rooms whose ids begin so
             * @example usa-
             */
            prefix?: string;
            /**
             * @description Of a room's hook: who put it last. It ends when this person is no longer an owner of the room
             * @example amsg
             */
            putBy?: string;
            /**
             * @description The rooms whose changes it receives; absent for a prefix or all
             * @example [
             *       "seattle"
             *     ]
             */
            rooms?: string[];
            /**
             * @description Of a new hook with a url: it signs the requests, and is not shown again
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret?: string;
            /**
             * @description It receives only changes of these types; absent for all
             * @example [
             *       "message.created"
             *     ]
             */
            types?: string[];
            /**
             * @description Changes are sent there; absent for a hook whose program fetches
             * @example https://example.com/parley
             */
            url?: string;
        };
        Incoming: {
            /** Format: date-time */
            createdAt: string;
            /** @example amsg */
            createdBy: string;
            /**
             * @description Names the webhook; it posts nothing
             * @example 5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5d
             */
            id: string;
            /**
             * @description The name of the bot that its messages have as their sender
             * @example Alerts
             */
            name: string;
            /** @example seattle */
            room: string;
            /**
             * @description The bot's user id. Nobody can sign in as it
             * @example bot:5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5d
             */
            user: string;
        };
        IncomingForm: {
            /** @description The JSON */
            payload: string;
        };
        IncomingMessage: {
            /** @description Slack's markup, in which most Markdown means what it says. It is cut at 32768 bytes */
            text: string;
            /** @description As the parameter thread */
            thread_key?: string;
        };
        IncomingPage: {
            items: components["schemas"]["Incoming"][];
        };
        Invitation: {
            /**
             * @description Who invites
             * @example amsg
             */
            createdBy: string;
            /**
             * Format: date-time
             * @description From then on it admits nobody
             */
            expires: string;
            /**
             * @description Their name
             * @example Rhianna Cohen
             */
            inviter: string;
            /**
             * @description The room's name
             * @example Seattle
             */
            name: string;
            /** @description The role of the people who come in */
            role: "member" | "moderator";
            /** @example seattle */
            room: string;
            visibility: "public" | "private";
        };
        Invite: {
            /** Format: date-time */
            createdAt: string;
            /**
             * @description The invitation admits people only while this user may invite
             * @example amsg
             */
            createdBy: string;
            /**
             * Format: date-time
             * @description From then on it admits nobody
             */
            expires: string;
            /**
             * @description Names the invitation; it admits nobody
             * @example 9f86d081884c7d659a2feaa0c55ad015
             */
            id: string;
            /**
             * Format: int64
             * @description How many people it admits
             */
            maxUses: number;
            /** @description The role of the people who come in */
            role: "member" | "moderator";
            /** @example seattle */
            room: string;
            /**
             * Format: int64
             * @description How many people have come in
             */
            uses: number;
        };
        InvitePage: {
            items: components["schemas"]["Invite"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
        };
        LastFile: {
            /**
             * @description The file's name
             * @example plan.png
             */
            name: string;
            /**
             * @description The media type that the sender stated
             * @example image/png
             */
            type: string;
        };
        LastMessage: {
            /** @description Its files, if it has no text */
            attachments?: components["schemas"]["LastFile"][];
            /**
             * Format: date-time
             * @description When it was deleted; absent if it was not
             */
            deletedAt?: string;
            /**
             * @description The message's id
             * @example 01658560-1d0b-7a2c-9e4f-8b6d2c1a0f3e~amsg
             */
            id: string;
            /**
             * Format: date-time
             * @description When the server received it
             */
            receivedAt: string;
            /**
             * @description The first 200 characters of its current text; empty if it was deleted
             * @example Hello
             */
            text: string;
            /**
             * @description Who sent it
             * @example amsg
             */
            user: string;
        };
        Link: {
            /**
             * @description The headers to send
             * @example {
             *       "if-none-match": "*"
             *     }
             */
            headers: {
                [key: string]: string;
            };
            /**
             * @description The address, which may be relative to the API's. PUT the bytes there, without a token
             * @example https://files.example.com/seattle/amsg/01890a5d-ac96-774b-bcce-b302099a8058?X-Amz-Signature=…
             */
            url: string;
        };
        /** @description A room in a list. place is a hierarchy in one sort key, of which any beginning finds rooms; it suits any tree, such as departments */
        ListedRoom: {
            /** @description Whether the room is archived; absent if not */
            archived?: boolean;
            /** Format: date-time */
            createdAt: string;
            /** @description The user who created the room */
            createdBy: string;
            /**
             * @description The room's id
             * @example seattle
             */
            id: string;
            /** @description room: direct rooms are never listed */
            kind: "room" | "direct";
            /** @description A JSON object of the client's own, at most 4096 bytes. It is returned as given, except for the white space around its tokens */
            metadata?: {
                [key: string]: unknown;
            };
            name: string;
            /** @description From the country down */
            place?: string[];
            topic: string;
        };
        Mark: {
            /**
             * Format: int64
             * @description Where the part begins, in UTF-16 code units, as JavaScript counts
             * @example 0
             */
            from: number;
            /**
             * Format: int64
             * @description Where it ends
             * @example 5
             */
            to: number;
        };
        Me: {
            /**
             * Format: int64
             * @description The number of messages after the marker that mention the caller or, since they joined, everyone; without messages by the caller and by blocked people; 100 means 100 or more
             * @example 1
             */
            mentions: number;
            /**
             * Format: int64
             * @description The caller's read marker: the sequence number up to which they have read; 0 without a marker
             * @example 41
             */
            read: number;
            /** @description The caller's role in the room */
            role: "owner" | "moderator" | "member" | "muted";
            /**
             * Format: int64
             * @description The number of messages posted after the marker and after joining, without deleted ones and the caller's own; 1000 means 1000 or more
             * @example 3
             */
            unread: number;
        };
        Member: {
            /**
             * Format: date-time
             * @description When they joined, or were muted or banned without having joined
             */
            joinedAt: string;
            /** @description The person's name, which may be a minute old, or their id */
            name: string;
            /** @description The last message that they marked as read; only in lists of members, for people in a direct room or in one of at most 50 members with receipts */
            read?: components["schemas"]["Receipt"];
            /** @description Why they are muted or banned; moderators and owners see it, and the person while they are muted */
            reason?: string;
            role: "owner" | "moderator" | "member" | "muted" | "banned";
            /** @example seattle */
            room: string;
            /**
             * Format: date-time
             * @description When a mute or ban ends; absent if it has no end
             */
            until?: string;
            /** @example amsg */
            user: string;
        };
        MemberPage: {
            items: components["schemas"]["Member"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
            /** @description With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old */
            people?: {
                [key: string]: components["schemas"]["Card"];
            };
        };
        MembershipEntry: {
            /** @enum {string} */
            role: "owner" | "moderator" | "member";
            /**
             * @description The room's id: a-z, 0-9 and inner -
             * @example seattle
             */
            room: string;
            /**
             * @description The person's user id
             * @example e129
             */
            user: string;
        };
        Mention: {
            message: components["schemas"]["Message"];
            /**
             * @description The room's id
             * @example seattle
             */
            room: string;
            /**
             * Format: int64
             * @description The number, in the room's feed, of the change that made the mention. It is unread if it is after the caller's read marker
             * @example 42
             */
            seq: number;
            /** @description Whether it is after the caller's read marker, which a person also has in a public room that they have not joined; absent if not, and for imported messages */
            unread?: boolean;
        };
        MentionPage: {
            items: components["schemas"]["Mention"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
        };
        Message: {
            /** @description Its files, in order; absent for none and after a deletion */
            attachments?: components["schemas"]["Attachment"][];
            /** @description The caller has blocked the sender */
            blocked?: boolean;
            /** @description The sender is the bot of an incoming webhook, and no person */
            bot?: boolean;
            /**
             * Format: date-time
             * @description When it was deleted; its text is then empty, and it has no metadata
             */
            deletedAt?: string;
            /**
             * @description The user who deleted it
             * @example bob
             */
            deletedBy?: string;
            /**
             * Format: date-time
             * @description When it was last edited
             */
            editedAt?: string;
            /**
             * @description The sender's UUID, ~, and the sender
             * @example 01890a5d-ac96-774b-bcce-b302099a8057~amsg
             */
            id: string;
            /** @description Of a message that reports what happened in the room, and that nobody wrote; absent for all others */
            kind?: "system";
            /** @description It mentions everyone in the room */
            mentionRoom?: boolean;
            /**
             * @description The people whom it mentions, by user id, in order; absent for none and after a deletion
             * @example [
             *       "bob"
             *     ]
             */
            mentions?: string[];
            /** @description A JSON object of the client's own, at most 4096 bytes. It is returned as given, except for the white space around its tokens */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description What one can vote for; the text is the question. The counts may be behind by some seconds */
            poll?: components["schemas"]["Poll"];
            /** @description The message that it quotes; absent when there is none, or when this message is deleted */
            quote?: components["schemas"]["Quote"];
            /** @description What people reacted with, the first emoji first; the counts may be behind by some seconds */
            reactions?: components["schemas"]["Reaction"][];
            /**
             * Format: date-time
             * @description When the server received it; orders the room
             */
            receivedAt: string;
            /** @description The thread of the message; absent without replies. It may be some seconds old */
            replies?: components["schemas"]["Replies"];
            /**
             * Format: int64
             * @description 1, and one more with each edit and with the deletion. In quotes it is the ETag
             * @example 1
             */
            revision: number;
            /** @example seattle */
            room: string;
            /**
             * Format: date-time
             * @description The time in the id
             */
            sentAt: string;
            /** @description A reply that the room lists too */
            showInRoom?: boolean;
            /** @description Of a message of kind system: what happened. The text says the same in English. Nobody may edit, quote or reply to it, and only moderators may delete it */
            system?: components["schemas"]["System"];
            text: string;
            /**
             * @description The message that this one replies to, the root of its thread
             * @example 01890a5d-ac96-774b-bcce-b302099a8057~amsg
             */
            thread?: string;
            /**
             * @description The sender
             * @example amsg
             */
            user: string;
            /**
             * @description The service that wrote the text on the sender's behalf
             * @example helpdesk
             */
            via?: string;
        };
        MessagePage: {
            items: components["schemas"]["Message"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
            /** @description With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old */
            people?: {
                [key: string]: components["schemas"]["Card"];
            };
            /** @description With around: the cursor of newer messages, oldest first; absent when there are none */
            prev?: string;
            /**
             * @description The position in the room's feed from which a client that holds this page misses no change: pass it to list-changes
             * @example AxZPuEFeRPfFBlJcMjAxOC0wOC0yOVQxMjowMDowMC4wMDA
             */
            since: string;
        };
        MessageVersion: {
            /**
             * Format: date-time
             * @description When the server received it
             */
            at: string;
            /** @description A JSON object of the client's own, at most 4096 bytes. It is returned as given, except for the white space around its tokens */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Empty when the message is deleted */
            text: string;
            /**
             * @description The author
             * @example amsg
             */
            user: string;
            /**
             * Format: int64
             * @description 1 is the original
             * @example 2
             */
            version: number;
            /**
             * @description The service that wrote it on the author's behalf
             * @example helpdesk
             */
            via?: string;
        };
        MessageVersionPage: {
            items: components["schemas"]["MessageVersion"][];
            /** @description The cursor of older versions; absent on the last page */
            next?: string;
        };
        Messages: {
            items: components["schemas"]["Message"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
            /** @description With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old */
            people?: {
                [key: string]: components["schemas"]["Card"];
            };
        };
        NotificationChange: {
            /**
             * @description Of which messages the caller is notified, in rooms without a level of their own; see put-preferences
             * @enum {string}
             */
            level?: "all" | "direct" | "mentions" | "none";
            /** @description Whether messages that mention the caller by name come through */
            mentionsAlways?: boolean;
            /**
             * Format: date-time
             * @description There are no notifications until then; a time in the past ends a pause
             * @example 2018-08-29T13:00:00.000Z
             */
            pausedUntil?: string;
            /** @description Replaces the quiet hours. {} removes them */
            quiet?: components["schemas"]["Quiet"];
            /**
             * @description What a notification shows
             * @enum {string}
             */
            show?: "text" | "sender" | "none";
        };
        Notifications: {
            /** @description Of which messages the caller is notified, in rooms without a level of their own (put-preferences) */
            level: "all" | "direct" | "mentions" | "none";
            /** @description Whether messages that mention the caller by name come through pauses, quiet hours and a status that asks not to be disturbed */
            mentionsAlways: boolean;
            /**
             * Format: date-time
             * @description There are no notifications until then; absent if none was set
             */
            pausedUntil?: string;
            /** @description Absent without quiet hours */
            quiet?: components["schemas"]["Quiet"];
            /** @description What a notification shows, also on a locked screen: the text, or only who wrote in which room, or only that there is a message */
            show: "text" | "sender" | "none";
        };
        Online: {
            /**
             * Format: int64
             * @description How many people; 1,000 means that many or more
             */
            count: number;
            /**
             * @description The user ids of at most 50 of them, in order
             * @example [
             *       "amsg"
             *     ]
             */
            users: string[];
        };
        OwnHead: {
            /** @description Whether it is one of the caller's favorites; absent if not */
            favorite?: boolean;
            /**
             * Format: int64
             * @description The number of the newest change in the room's feed; 0 before the first one
             * @example 44
             */
            head: number;
            /**
             * @description The room's id
             * @example seattle
             */
            id: string;
            /** @description The caller's level of notifications for the room; absent if their own level applies */
            level?: "all" | "direct" | "mentions" | "none";
            /**
             * Format: int64
             * @description The number of messages after the marker and after joining, including deleted messages and messages by the caller and by blocked people; absent for none; 1000 means 1000 or more
             * @example 3
             */
            messages?: number;
            /** @description Whether only mentions count as unread: the level is mentions or none; absent if not */
            muted?: boolean;
            /**
             * Format: int64
             * @description The caller's read marker: the number up to which they have read; 0 without a marker
             * @example 41
             */
            read: number;
        };
        OwnHeads: {
            items: components["schemas"]["OwnHead"][];
        };
        OwnRoom: {
            /**
             * @description Who added the caller to the room, until they have a read marker; absent in direct rooms, and in rooms that they joined
             * @example jdoe
             */
            addedBy?: string;
            /** @description Whether the room is archived; absent if not */
            archived?: boolean;
            /** @description The people whose direct room it is; absent in other rooms */
            direct?: string[];
            /** @description Whether it is one of the caller's favorites; absent if not, and in another person's list */
            favorite?: boolean;
            /**
             * @description The room's id
             * @example seattle
             */
            id: string;
            /**
             * Format: date-time
             * @description When the caller joined, or was muted without having joined
             */
            joinedAt: string;
            /** @description direct: a direct room, of the people in direct */
            kind: "room" | "direct";
            /**
             * Format: date-time
             * @description When the newest message was received, or when the caller joined a room without messages
             */
            lastActivityAt: string;
            /** @description The newest message; absent in a room without messages */
            lastMessage?: components["schemas"]["LastMessage"];
            /** @description The caller's level of notifications for the room; absent if their own level applies, and in another person's list */
            level?: "all" | "direct" | "mentions" | "none";
            /**
             * Format: date-time
             * @description The end of level; absent without one
             */
            levelUntil?: string;
            /**
             * Format: int64
             * @description The number of messages after the marker that mention the caller or, since they joined, everyone; without messages by the caller and by blocked people; 100 means 100 or more
             * @example 1
             */
            mentions: number;
            /** @description A JSON object of the client's own, at most 4096 bytes. It is returned as given, except for the white space around its tokens */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Whether only mentions count as unread: the level is mentions or none; absent if not, and in another person's list */
            muted?: boolean;
            name: string;
            /**
             * Format: int64
             * @description The caller's read marker: the sequence number up to which they have read; 0 without a marker
             * @example 41
             */
            read: number;
            /** @description The person's role in the room */
            role: "owner" | "moderator" | "member" | "muted";
            topic: string;
            /**
             * Format: int64
             * @description The number of messages posted after the marker and after joining, without deleted ones and the caller's own; 1000 means 1000 or more
             * @example 3
             */
            unread: number;
            visibility: "public" | "private";
        };
        OwnRoomPage: {
            /** @description With include=heads: how far all rooms of the list are, in its order, as list-heads answers */
            heads?: components["schemas"]["OwnHeads"];
            items: components["schemas"]["OwnRoom"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
            /** @description With include=people: the senders of the last messages and the people of direct rooms, by user id; names, avatars and statuses may be a minute old */
            people?: {
                [key: string]: components["schemas"]["Card"];
            };
            /**
             * Format: int64
             * @description The sum of unread over the rooms of this answer; a muted room adds only its mentions
             * @example 3
             */
            unreadTotal: number;
        };
        OwnThread: {
            /** @description The message that the replies reply to */
            message: components["schemas"]["Message"];
            /**
             * Format: int64
             * @description The caller's marker in the thread: the sequence number of the room up to which they have read it
             * @example 41
             */
            read: number;
            /**
             * Format: int64
             * @description The number of replies after the marker, without deleted replies and replies by the caller and by blocked people; 1000 means 1000 or more. Of a room with more than 2,000 changes after the marker, only those among the newest of them
             * @example 3
             */
            unread: number;
        };
        OwnThreadPage: {
            items: components["schemas"]["OwnThread"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
            /** @description With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old */
            people?: {
                [key: string]: components["schemas"]["Card"];
            };
        };
        Part: {
            /**
             * @description The part's id
             * @example preamble
             */
            part: string;
            /** Format: date-time */
            savedAt: string;
            /**
             * @description Who saved this version
             * @example amsg
             */
            savedBy: string;
            text: string;
            /**
             * Format: int64
             * @description From 1 upwards. In quotes it is the ETag
             * @example 3
             */
            version: number;
        };
        PartVersionPage: {
            items: components["schemas"]["Part"][];
            /** @description The cursor of older versions; absent on the last page */
            next?: string;
        };
        PatchMessageRequest: {
            /** @description Whether the message mentions everyone in the room. 403 for true from a person who may not, with nothing stored: see the room's roomMentions */
            mentionRoom?: boolean;
            /**
             * @description The people whom the message mentions, by user id, each once. A name in the text does not mention anybody, and a person who cannot read the room when the message is stored is not notified. In an edit they replace the former ones, and an empty list removes all
             * @example [
             *       "bob"
             *     ]
             */
            mentions?: string[];
            /** @description A JSON object of the client's own, at most 4096 bytes. It is returned as given, except for the white space around its tokens */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description 1 to 32768 bytes of UTF-8. Default: the current text; one of the fields is required */
            text?: string;
        };
        PatchPersonRequest: {
            /**
             * @description The https URL of a picture, at most 1000 bytes of ASCII, without a user. Empty removes it
             * @example https://example.com/rhianna.png
             */
            avatar?: string;
            /**
             * @description The day of hiring, in 1900 or later. Empty removes it
             * @example 1995-07-01
             */
            hired?: string;
            /**
             * @description Default in a new profile: person. Only a service changes it, with its own token, for itself or for the user in Parley-Act-As; 403 for all others
             * @enum {string}
             */
            kind?: "person" | "bot";
            /** @description A JSON object of the client's own, at most 4096 bytes. It is returned as given, except for the white space around its tokens */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description One line, at most 100 bytes of UTF-8
             * @example Rhianna Cohen
             */
            name?: string;
            /**
             * @description The SHA-256, in base64, of the picture that was sent by a link of post-picture. Empty removes it, and omitted keeps it
             * @example 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
             */
            picture?: string;
            /**
             * @description The state of residence, at most 64 bytes of UTF-8 without #. Empty removes it
             * @example CA
             */
            state?: string;
            /** @description Replaces the status. {} removes it */
            status?: components["schemas"]["Status"];
            /**
             * @description The current title, at most 100 bytes of UTF-8 without #; the former one becomes a previous title. Empty removes it
             * @example Director of Technology
             */
            title?: string;
        };
        PatchReportRequest: {
            /** @description true: a report that is resolved cannot be opened again */
            resolved: boolean;
        };
        /** @description A profile. title, previousTitles, state and hired are facts that only some products need. They show how one overloaded index finds people by several facts, and by a former value; metadata is for the facts of your own product */
        Person: {
            /**
             * Format: uri
             * @description The https URL of a picture; absent without one
             * @example https://example.com/rhianna.png
             */
            avatar?: string;
            /**
             * Format: date
             * @example 1995-07-01
             */
            hired?: string;
            /** @description A bot is the account of a program */
            kind: "person" | "bot";
            /** @description A JSON object of the client's own, at most 4096 bytes. It is returned as given, except for the white space around its tokens */
            metadata?: {
                [key: string]: unknown;
            };
            /** @example Rhianna Cohen */
            name: string;
            /**
             * @description The SHA-256 of an uploaded picture, whose address list-people gives with ids; absent without one
             * @example 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
             */
            picture?: string;
            /**
             * @description Former titles, the latest last
             * @example [
             *       "System Architect"
             *     ]
             */
            previousTitles?: string[];
            /**
             * @description What the name looks like: names that look alike have the same. Compare it, and never show or store it
             * @example rhlanna cohen
             */
            skeleton: string;
            /** @example CA */
            state?: string;
            /** @description Absent without one, and after its end */
            status?: components["schemas"]["Status"];
            /** @example Director of Technology */
            title?: string;
            /** @example e129 */
            user: string;
        };
        PersonEntry: {
            /**
             * @description The https URL of a picture, at most 1000 bytes of ASCII, without a user. Empty removes it
             * @example https://example.com/rhianna.png
             */
            avatar?: string;
            /**
             * @description The day of hiring, in 1900 or later. Empty removes it
             * @example 1995-07-01
             */
            hired?: string;
            /**
             * @description Default in a new profile: person. Only a service changes it, with its own token, for itself or for the user in Parley-Act-As; 403 for all others
             * @enum {string}
             */
            kind?: "person" | "bot";
            /** @description A JSON object of the client's own, at most 4096 bytes. It is returned as given, except for the white space around its tokens */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description One line, at most 100 bytes of UTF-8
             * @example Rhianna Cohen
             */
            name: string;
            /**
             * @description The SHA-256, in base64, of the picture that was sent by a link of post-picture. Empty removes it, and omitted keeps it
             * @example 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
             */
            picture?: string;
            /**
             * @description The state of residence, at most 64 bytes of UTF-8 without #. Empty removes it
             * @example CA
             */
            state?: string;
            /** @description Replaces the status. {} removes it */
            status?: components["schemas"]["Status"];
            /**
             * @description The current title, at most 100 bytes of UTF-8 without #; the former one becomes a previous title. Empty removes it
             * @example Director of Technology
             */
            title?: string;
            /**
             * @description The person's user id
             * @example e129
             */
            user: string;
        };
        PersonMatch: {
            /**
             * Format: uri
             * @description In a query by ids: the https URL of a picture; absent without one
             * @example https://example.com/rhianna.png
             */
            avatar?: string;
            /** @description In a query by ids: bot for the account of a program; absent for a person */
            kind?: "bot";
            /** @example Rhianna Cohen */
            name: string;
            /**
             * @description In a query by ids: the SHA-256 of an uploaded picture; absent without one
             * @example 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
             */
            picture?: string;
            /** @description In a query by ids: where the uploaded picture is */
            pictureLink?: components["schemas"]["PictureLink"];
            /** @description Present in a query by had_title */
            previousTitle?: string;
            /**
             * @description What the name looks like: names that look alike have the same. Compare it, and never show or store it
             * @example rhlanna cohen
             */
            skeleton: string;
            /** @description Present in a query by state */
            state?: string;
            /** @description In a query by ids: absent without one, and after its end */
            status?: components["schemas"]["Status"];
            /** @description Present in a query by title */
            title?: string;
            /** @example e129 */
            user: string;
        };
        PersonPage: {
            items: components["schemas"]["PersonMatch"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
        };
        PersonSettings: {
            /**
             * @description The https URL of a picture, at most 1000 bytes of ASCII, without a user. Empty removes it
             * @example https://example.com/rhianna.png
             */
            avatar?: string;
            /**
             * @description The day of hiring, in 1900 or later. Empty removes it
             * @example 1995-07-01
             */
            hired?: string;
            /**
             * @description Default in a new profile: person. Only a service changes it, with its own token, for itself or for the user in Parley-Act-As; 403 for all others
             * @enum {string}
             */
            kind?: "person" | "bot";
            /** @description A JSON object of the client's own, at most 4096 bytes. It is returned as given, except for the white space around its tokens */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description One line, at most 100 bytes of UTF-8
             * @example Rhianna Cohen
             */
            name: string;
            /**
             * @description The SHA-256, in base64, of the picture that was sent by a link of post-picture. Empty removes it, and omitted keeps it
             * @example 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
             */
            picture?: string;
            /**
             * @description The state of residence, at most 64 bytes of UTF-8 without #. Empty removes it
             * @example CA
             */
            state?: string;
            /** @description Replaces the status. {} removes it */
            status?: components["schemas"]["Status"];
            /**
             * @description The current title, at most 100 bytes of UTF-8 without #; the former one becomes a previous title. Empty removes it
             * @example Director of Technology
             */
            title?: string;
        };
        PictureLink: {
            /**
             * Format: date-time
             * @description When the address expires: in 30 to 60 minutes
             */
            expiresAt: string;
            /**
             * @description The address, which may be relative to the API's. Send no token there
             * @example https://files.example.com/_people/e129?X-Amz-Signature=…
             */
            url: string;
        };
        PictureUpload: {
            /**
             * Format: date-time
             * @description When the link expires: in 15 minutes
             */
            expiresAt: string;
            /** @description How to send the picture */
            put: components["schemas"]["Link"];
        };
        Pin: {
            message: components["schemas"]["Message"];
            /** Format: date-time */
            pinnedAt: string;
            /**
             * @description The user who pinned it
             * @example bob
             */
            pinnedBy: string;
        };
        PinPage: {
            /** @description The newest pin first */
            items: components["schemas"]["Pin"][];
            /** @description The cursor of the next page; absent on the last page */
            next?: string;
        };
        Poll: {
            /** @description Nobody is shown who voted */
            anonymous?: boolean;
            /**
             * Format: date-time
             * @description When the poll ends; absent if it does not
             */
            endsAt?: string;
            /** @description A person may choose several options */
            multiple?: boolean;
            options: components["schemas"]["PollOption"][];
            /**
             * Format: int64
             * @description How many people have voted
             * @example 5
             */
            voters: number;
        };
        PollGiven: {
            /** @description Nobody is shown who voted */
            anonymous?: boolean;
            /**
             * Format: date-time
             * @description When the poll ends, at most 366 days after the message; never by default
             */
            endsAt?: string;
            /** @description A person may choose several options */
            multiple?: boolean;
            /**
             * @description Different texts of 1 to 200 bytes, in order
             * @example [
             *       "Tuesday",
             *       "Wednesday"
             *     ]
             */
            options: string[];
        };
        PollOption: {
            /** @description The caller has chosen it. Only get-message and list-messages say so */
            me?: boolean;
            /** @example Tuesday */
            text: string;
            /**
             * Format: int64
             * @example 3
             */
            votes: number;
        };
        PostEventsRequest: {
            events: components["schemas"]["EventReport"][];
        };
        PostIncomingRequest: {
            /**
             * @description 1 to 100 bytes of UTF-8 in one line: what people see as the sender
             * @example Alerts
             */
            name: string;
        };
        PostInviteRequest: {
            /**
             * Format: date-time
             * @description When it ends, at most 30 days ahead; default: in 7 days
             * @example 2018-09-05T12:00:00Z
             */
            expires?: string;
            /**
             * Format: int64
             * @description How many people it admits; default: 100
             * @example 10
             */
            maxUses?: number;
            /**
             * @description The role of the people who come in; default: member. Only owners invite moderators
             * @enum {string}
             */
            role?: "member" | "moderator";
        };
        PostLinksRequest: {
            /** @description Browsers save the files under their names instead of showing them */
            download?: boolean;
            /** @description The ids of messages of the room */
            messages: string[];
        };
        PostMembershipsRequest: {
            /** @description Memberships, each of another person or room */
            items: components["schemas"]["MembershipEntry"][];
            /** @description Refuse the entries of user ids without a profile, so that a typo adds nobody */
            strict?: boolean;
        };
        PostMessageRequest: {
            /**
             * @description The ids of uploads of the caller in this room, in order. See post-upload
             * @example [
             *       "01890a5d-ac96-774b-bcce-b302099a8058"
             *     ]
             */
            attachments?: string[];
            /**
             * @description A UUIDv7, generated once for the message. A retry with the same id posts the message once. Its time may be 24 hours old and 2 seconds ahead. The full id, <uuid>~<user>, is accepted too if the user is the caller
             * @example 01890a5d-ac96-774b-bcce-b302099a8057
             */
            id?: string;
            /** @description Whether the message mentions everyone in the room. 403 for true from a person who may not, with nothing stored: see the room's roomMentions */
            mentionRoom?: boolean;
            /**
             * @description The people whom the message mentions, by user id, each once. A name in the text does not mention anybody, and a person who cannot read the room when the message is stored is not notified. In an edit they replace the former ones, and an empty list removes all
             * @example [
             *       "bob"
             *     ]
             */
            mentions?: string[];
            /** @description A JSON object of the client's own, at most 4096 bytes. It is returned as given, except for the white space around its tokens */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Makes the message a poll, whose question is the text. It never changes */
            poll?: components["schemas"]["PollGiven"];
            /**
             * @description The id of a message of the same room, which the message quotes
             * @example 01890a5d-ac96-774b-bcce-b302099a8057~bob
             */
            quote?: string;
            /** @description The room lists the reply too */
            showInRoom?: boolean;
            /** @description 1 to 32768 bytes of UTF-8; with attachments it may be empty */
            text: string;
            /**
             * @description The message to reply to, which must not be a reply itself. The room does not list replies; list-replies does
             * @example 01890a5d-ac96-774b-bcce-b302099a8057~amsg
             */
            thread?: string;
        };
        PostPeopleRequest: {
            /** @description Profiles, each of another person */
            items: components["schemas"]["PersonEntry"][];
        };
        PostReportRequest: {
            /**
             * @description 1 to 1000 bytes of UTF-8, a few lines at most
             * @example spam
             */
            reason: string;
        };
        PostRoomRequest: {
            /** @description True refuses every change of the room and its contents, except that people may leave and mark it as read, and owners may set false or delete it */
            archived?: boolean;
            /**
             * @description The others of a direct room, by user id. Excludes all other fields but requestId
             * @example [
             *       "bob"
             *     ]
             */
            direct?: string[];
            /** @description A JSON object of the client's own, at most 4096 bytes. It is returned as given, except for the white space around its tokens */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description One line, at most 100 bytes of UTF-8. Default: a public room's id */
            name?: string;
            /**
             * @description Who may pin messages; moderators by default
             * @enum {string}
             */
            pinning?: "moderators" | "members";
            /** @description From the country down: country, region, state, county, city, neighborhood; each level at most 64 bytes of UTF-8, without # and / */
            place?: string[];
            /**
             * @description Who may post; with everyone, without joining
             * @enum {string}
             */
            posting?: "everyone" | "members" | "moderators";
            /** @description Whether the list of members shows how far each has read, while there are at most 50; true by default */
            receipts?: boolean;
            /**
             * Format: uuid
             * @description A UUIDv7, generated once for a private room. A retry with the same id creates the room once. Its time may be 24 hours old and 2 seconds ahead. A direct room needs none, and ignores it
             * @example 01890a5d-ac96-774b-bcce-b302099a8057
             */
            requestId?: string;
            /**
             * @description Who may mention everyone in the room: moderators and owners, or members too. Default: moderators
             * @enum {string}
             */
            roomMentions?: "moderators" | "members";
            /**
             * Format: int64
             * @description How many partitions new messages are spread over, each for 1,000 messages a second; a change takes effect after some seconds. With 0, the default, the number follows the rate of messages
             */
            shards?: number;
            /**
             * Format: int64
             * @description The pause between two contributions of one person: messages, edits, and versions of documents
             */
            slowModeSeconds?: number;
            /** @description Whether messages of kind system report who joins, leaves and is added or removed, and other names, topics and archiving; true by default. What services and imports change is never reported */
            systemMessages?: boolean;
            /** @description The subject of the room: one line, at most 1000 bytes of UTF-8 */
            topic?: string;
            /**
             * @description Required unless direct is given. Create public rooms with PUT /rooms/{room}
             * @enum {string}
             */
            visibility?: "private";
        };
        PostRoomsRequest: {
            /** @description Rooms, each with another id */
            items: components["schemas"]["RoomEntry"][];
        };
        PostUploadRequest: {
            /**
             * @description Describes the file to people who cannot see it: at most 500 bytes
             * @example The plan of the ground floor
             */
            alt?: string;
            /**
             * Format: int64
             * @description The exact size
             * @example 48213
             */
            bytes: number;
            /**
             * Format: int64
             * @description Of a picture or video: the height in pixels
             */
            height?: number;
            /**
             * Format: uuid
             * @description A UUIDv7, generated once for the file. A retry with the same id and content returns new links
             * @example 01890a5d-ac96-774b-bcce-b302099a8058
             */
            id: string;
            /**
             * @description The file's name: 1 to 120 bytes of UTF-8, without / and \, control characters and marks of direction
             * @example plan.png
             */
            name: string;
            /** @description A ThumbHash of at most 40 bytes, in base64 */
            placeholder?: string;
            /** @description A smaller picture, WebP, JPEG or PNG, of at most 64 KB, without data about the place and the camera */
            preview?: components["schemas"]["BytesGiven"];
            /**
             * @description The SHA-256 of the bytes, in base64
             * @example 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
             */
            sha256: string;
            /**
             * @description The media type, without parameters, in lower case, at most 80 bytes
             * @example image/png
             */
            type: string;
            /**
             * Format: int64
             * @description Of a picture or video: the width in pixels, with the height
             */
            width?: number;
        };
        PostedIncoming: {
            /**
             * @description The message's id
             * @example 01890a5d-ac96-774b-bcce-b302099a8057~bot:5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5d
             */
            id: string;
            /** @description Always true; senders for Slack check it */
            ok: boolean;
        };
        Preferences: {
            /** @description Whether the room is one of the caller's favorites */
            favorite: boolean;
            /** @description Of which messages of the room the caller is notified; absent if their own level applies */
            level?: "all" | "direct" | "mentions" | "none";
            /**
             * Format: date-time
             * @description The end of level, after which the caller's own applies; absent without one
             */
            levelUntil?: string;
            /** @description Whether only mentions in the room count in unreadTotal: the level is mentions or none */
            muted: boolean;
        };
        PreferencesDraft: {
            /** @description Default: false */
            favorite?: boolean;
            /**
             * @description all: every message that the room lists; direct: messages in direct rooms, replies in followed threads, and mentions; mentions: mentions of the caller or of everyone; none: nothing. Each includes the messages of the next one. Default: the caller's level for all rooms (get-notifications)
             * @enum {string}
             */
            level?: "all" | "direct" | "mentions" | "none";
            /**
             * Format: date-time
             * @description The end of level, in the future
             */
            levelUntil?: string;
            /** @description Without a level, true stands for the level mentions. Default: false */
            muted?: boolean;
        };
        Problem: {
            /**
             * @description The first error as a sentence
             * @example text must not be empty.
             */
            detail?: string;
            /** @description The fields at fault, at most 20 */
            errors?: components["schemas"]["Fault"][];
            /**
             * @description The limit that the caller has used up, for rate-limited
             * @example messages
             */
            limit?: string;
            /** @description Whether the same request may succeed later */
            retryable: boolean;
            /**
             * Format: date-time
             * @description The server's clock, when the client's is off
             */
            serverTime?: string;
            /**
             * Format: int64
             * @description The HTTP status
             */
            status: number;
            /**
             * @description The type in words
             * @example Not found
             */
            title: string;
            /**
             * Format: uri-reference
             * @description What went wrong, stable across versions. It is the path of a page about it
             * @example /problems/not-found
             */
            type: "/problems/malformed" | "/problems/bad-cursor" | "/problems/unauthorized" | "/problems/forbidden" | "/problems/suspended" | "/problems/not-found" | "/problems/method-not-allowed" | "/problems/conflict" | "/problems/clock-skew" | "/problems/stale" | "/problems/too-large" | "/problems/unsupported-media-type" | "/problems/invalid" | "/problems/precondition-required" | "/problems/rate-limited" | "/problems/internal" | "/problems/unavailable";
        };
        PutHookRequest: {
            /** @description False lets changes wait. True, the default, also enables a hook again that was disabled for its failures */
            enabled?: boolean;
            /**
             * @description Only the changes of rooms whose ids begin so. Without rooms and prefix: of all rooms
             * @example usa-
             */
            prefix?: string;
            /**
             * @description Only the changes of these rooms
             * @example [
             *       "seattle"
             *     ]
             */
            rooms?: string[];
            /**
             * @description Only changes of these types; their numbers then have holes
             * @example [
             *       "message.created"
             *     ]
             */
            types?: ("message.created" | "message.edited" | "message.deleted" | "member.changed" | "room.changed" | "reply.created" | "counts.changed" | "pins.changed")[];
            /**
             * @description Where to send changes: https on port 443 of a public host. Without it the program fetches them. It stays so for the hook's life
             * @example https://example.com/parley
             */
            url?: string;
        };
        PutMemberRequest: {
            /**
             * @description Why they are muted or banned, at most 500 bytes of UTF-8 in one line
             * @example off topic, three times
             */
            reason?: string;
            /** @enum {string} */
            role: "owner" | "moderator" | "member" | "muted" | "banned";
            /**
             * Format: date-time
             * @description When a mute or ban ends, at most 366 days ahead; without it, it has no end
             * @example 2018-09-01T12:00:00Z
             */
            until?: string;
        };
        PutOwnerRequest: {
            /**
             * @description The user id of a member of the room
             * @example bob
             */
            user: string;
        };
        PutPartRequest: {
            /** @description 1 to 32768 bytes of UTF-8 */
            text: string;
        };
        PutReadRequest: {
            /**
             * @description The id of the last message that the caller has seen
             * @example 01658560-1d0b-7a2c-9e4f-8b6d2c1a0f3e~amsg
             */
            message?: string;
            /**
             * Format: int64
             * @description The number of the last change that the caller has seen, at most head
             * @example 42
             */
            seq?: number;
            /**
             * @description The id of the first message to mark as unread
             * @example 01658560-1d0b-7a2c-9e4f-8b6d2c1a0f3e~amsg
             */
            unreadFrom?: string;
        };
        PutRoomHookRequest: {
            /** @description False lets changes wait. True, the default, also enables a hook again that was disabled for its failures */
            enabled?: boolean;
            /**
             * @description Only changes of these types; their numbers then have holes
             * @example [
             *       "message.created"
             *     ]
             */
            types?: ("message.created" | "message.edited" | "message.deleted" | "member.changed" | "room.changed" | "reply.created" | "counts.changed" | "pins.changed")[];
            /**
             * @description Where to send changes: https on port 443 of a public host
             * @example https://example.com/parley
             */
            url: string;
        };
        PutSuspensionRequest: {
            /**
             * @description At most 500 bytes of UTF-8 on one line, for services and the audit
             * @example spam
             */
            reason?: string;
        };
        PutThreadReadRequest: {
            /**
             * Format: int64
             * @description The number of the last change of the room that the caller has seen, at most head
             * @example 42
             */
            seq: number;
        };
        PutVoteRequest: {
            /**
             * @description The positions of the chosen options, from 0; one, unless the poll allows several
             * @example [
             *       0
             *     ]
             */
            choices: number[];
        };
        Quiet: {
            /**
             * @description The days on which they begin: 1 is Monday, 7 is Sunday. Default: every day
             * @example [
             *       1,
             *       2,
             *       3,
             *       4,
             *       5
             *     ]
             */
            days?: number[];
            /**
             * @description When they begin, by the clock of the zone
             * @example 22:00
             */
            from?: string;
            /**
             * @description When they end; on the next day, unless it is after from
             * @example 07:00
             */
            to?: string;
            /**
             * @description The IANA time zone of the hours, at most 64 bytes
             * @example Europe/Berlin
             */
            zone?: string;
        };
        Quote: {
            /** @description The caller has blocked its sender */
            blocked?: boolean;
            /**
             * @description The quoted message's id
             * @example 01890a5d-ac96-774b-bcce-b302099a8057~bob
             */
            id: string;
            /**
             * @description The first 200 characters of its current text; empty when it is deleted. Absent in frames of live connections
             * @example Shall we meet at noon?
             */
            text?: string;
            /**
             * @description Its sender
             * @example bob
             */
            user: string;
        };
        Reaction: {
            /**
             * Format: int64
             * @example 3
             */
            count: number;
            /** @example 👍 */
            emoji: string;
            /** @description The caller is one of them. Only get-message, list-messages and answers about one reaction say so */
            me?: boolean;
        };
        ReactionCounts: {
            /** @description As of some seconds ago, with this change; me only with the emoji of the request */
            items: components["schemas"]["Reaction"][];
        };
        Reactor: {
            /** @example bob */
            user: string;
        };
        ReactorPage: {
            items: components["schemas"]["Reactor"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
            /** @description With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old */
            people?: {
                [key: string]: components["schemas"]["Card"];
            };
        };
        ReadMarker: {
            /**
             * Format: int64
             * @description The number of messages after the marker that mention the caller or, since they joined, everyone; 100 means 100 or more
             * @example 0
             */
            mentions: number;
            /** @example seattle */
            room: string;
            /**
             * Format: int64
             * @description The current marker: the number of the last change before it
             * @example 42
             */
            seq: number;
            /**
             * Format: int64
             * @description The number of messages posted after the marker and after joining, without deleted ones and the caller's own; 1000 means 1000 or more
             * @example 0
             */
            unread: number;
        };
        Receipt: {
            /**
             * Format: date-time
             * @description When they marked it
             */
            at: string;
            /**
             * @description The message's id
             * @example 01658560-1d0b-7a2c-9e4f-8b6d2c1a0f3e~amsg
             */
            message: string;
        };
        /** @description A problem of this API, or what API Gateway answers itself, which has no type */
        Refusal: components["schemas"]["Problem"] | components["schemas"]["GatewayMessage"];
        Replay: {
            /**
             * Format: date-time
             * @description A time in the past; one before the hook was created stands for its creation
             * @example 2018-08-29T12:00:00Z
             */
            from: string;
        };
        Replies: {
            /**
             * Format: int64
             * @description The replies that are not deleted
             * @example 3
             */
            count: number;
            /**
             * Format: date-time
             * @description When the newest reply was received
             */
            lastAt: string;
            /** @description Who replied last, newest first, at most three people */
            users: string[];
        };
        Report: {
            /** Format: date-time */
            createdAt: string;
            /**
             * @description The message's id, ~, and the reporter
             * @example 01890a5d-ac96-774b-bcce-b302099a8057~bob~amsg
             */
            id: string;
            /**
             * @description The id of the message, which may be deleted since
             * @example 01890a5d-ac96-774b-bcce-b302099a8057~bob
             */
            message: string;
            /** @example spam */
            reason: string;
            /** @example amsg */
            reporter: string;
            /**
             * Format: date-time
             * @description When it was resolved; absent while it is open
             */
            resolvedAt?: string;
            /** @description The user or the service who resolved it */
            resolvedBy?: string;
            /** @example seattle */
            room: string;
        };
        ReportPage: {
            items: components["schemas"]["Report"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
        };
        Room: {
            /** @description Whether the room takes no changes */
            archived: boolean;
            /** Format: date-time */
            createdAt: string;
            /** @description The user who created the room */
            createdBy: string;
            /** @description The people of a direct room by user id, including those who have left; absent for other rooms */
            direct?: string[];
            /**
             * @description The room's id
             * @example seattle
             */
            id: string;
            /** @description A direct room belongs to fixed people, and has no name of its own */
            kind: "room" | "direct";
            /** @description The caller in the room, where a room is read; absent for a person who is not in it */
            me?: components["schemas"]["Me"];
            /**
             * Format: int64
             * @description With include=count: the number of members, which may be a minute old above 50; 1000 means 1000 or more
             * @example 12
             */
            memberCount?: number;
            /** @description A JSON object of the client's own, at most 4096 bytes. It is returned as given, except for the white space around its tokens */
            metadata?: {
                [key: string]: unknown;
            };
            name: string;
            /** @description With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old */
            people?: {
                [key: string]: components["schemas"]["Card"];
            };
            /** @description Who may pin messages; in a direct room everyone may */
            pinning: "moderators" | "members";
            /** @description From the country down */
            place?: string[];
            /** @description Who may post */
            posting: "everyone" | "members" | "moderators";
            /** @description Whether the list of members shows how far each has read, while there are at most 50 */
            receipts: boolean;
            /** @description Who may mention everyone in the room; in a direct room nobody */
            roomMentions: "moderators" | "members";
            /**
             * @description The service that owns the room, without being a member; absent if only people own it
             * @example helpdesk
             */
            service?: string;
            /**
             * Format: int64
             * @description How many partitions new messages are spread over, or will be in some seconds; present only for the room's owners
             */
            shards?: number;
            /** @description True if an owner has set the number of shards, and absent if it follows the rate of messages; present only for the room's owners */
            shardsPinned?: boolean;
            /**
             * Format: int64
             * @description The pause between two contributions of one person: messages, edits, and versions of documents; moderators and owners are exempt
             */
            slowModeSeconds: number;
            /** @description Whether messages of kind system report who joins, leaves and is added or removed, and other names, topics and archiving */
            systemMessages: boolean;
            topic: string;
            visibility: "public" | "private";
        };
        RoomEntry: {
            /** @description True refuses every change of the room and its contents, except that people may leave and mark it as read, and owners may set false or delete it */
            archived?: boolean;
            /**
             * @description The room's id: a-z, 0-9 and inner -
             * @example seattle
             */
            id: string;
            /** @description A JSON object of the client's own, at most 4096 bytes. It is returned as given, except for the white space around its tokens */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description One line, at most 100 bytes of UTF-8. Default: a public room's id */
            name?: string;
            /**
             * @description Who may pin messages; moderators by default
             * @enum {string}
             */
            pinning?: "moderators" | "members";
            /** @description From the country down: country, region, state, county, city, neighborhood; each level at most 64 bytes of UTF-8, without # and / */
            place?: string[];
            /**
             * @description Who may post; with everyone, without joining
             * @enum {string}
             */
            posting?: "everyone" | "members" | "moderators";
            /** @description Whether the list of members shows how far each has read, while there are at most 50; true by default */
            receipts?: boolean;
            /**
             * @description Who may mention everyone in the room: moderators and owners, or members too. Default: moderators
             * @enum {string}
             */
            roomMentions?: "moderators" | "members";
            /**
             * Format: int64
             * @description How many partitions new messages are spread over, each for 1,000 messages a second; a change takes effect after some seconds. With 0, the default, the number follows the rate of messages
             */
            shards?: number;
            /**
             * Format: int64
             * @description The pause between two contributions of one person: messages, edits, and versions of documents
             */
            slowModeSeconds?: number;
            /** @description Whether messages of kind system report who joins, leaves and is added or removed, and other names, topics and archiving; true by default. What services and imports change is never reported */
            systemMessages?: boolean;
            /** @description The subject of the room: one line, at most 1000 bytes of UTF-8 */
            topic?: string;
            /**
             * @description Has to agree with the id: the ids of private rooms begin with p-, and no others do. Only a service, as itself, may state private
             * @enum {string}
             */
            visibility?: "public" | "private";
        };
        RoomPage: {
            items: components["schemas"]["ListedRoom"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
            /** @description With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old */
            people?: {
                [key: string]: components["schemas"]["Card"];
            };
        };
        RoomSettings: {
            /** @description True refuses every change of the room and its contents, except that people may leave and mark it as read, and owners may set false or delete it */
            archived?: boolean;
            /** @description A JSON object of the client's own, at most 4096 bytes. It is returned as given, except for the white space around its tokens */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description One line, at most 100 bytes of UTF-8. Default: a public room's id */
            name?: string;
            /**
             * @description Who may pin messages; moderators by default
             * @enum {string}
             */
            pinning?: "moderators" | "members";
            /** @description From the country down: country, region, state, county, city, neighborhood; each level at most 64 bytes of UTF-8, without # and / */
            place?: string[];
            /**
             * @description Who may post; with everyone, without joining
             * @enum {string}
             */
            posting?: "everyone" | "members" | "moderators";
            /** @description Whether the list of members shows how far each has read, while there are at most 50; true by default */
            receipts?: boolean;
            /**
             * @description Who may mention everyone in the room: moderators and owners, or members too. Default: moderators
             * @enum {string}
             */
            roomMentions?: "moderators" | "members";
            /**
             * Format: int64
             * @description How many partitions new messages are spread over, each for 1,000 messages a second; a change takes effect after some seconds. With 0, the default, the number follows the rate of messages
             */
            shards?: number;
            /**
             * Format: int64
             * @description The pause between two contributions of one person: messages, edits, and versions of documents
             */
            slowModeSeconds?: number;
            /** @description Whether messages of kind system report who joins, leaves and is added or removed, and other names, topics and archiving; true by default. What services and imports change is never reported */
            systemMessages?: boolean;
            /** @description The subject of the room: one line, at most 1000 bytes of UTF-8 */
            topic?: string;
            /**
             * @description Has to agree with the id: the ids of private rooms begin with p-, and no others do. Only a service, as itself, may state private
             * @enum {string}
             */
            visibility?: "public" | "private";
        };
        Saved: {
            message: components["schemas"]["Message"];
            /** Format: date-time */
            savedAt: string;
        };
        SavedPage: {
            /** @description The last saved first */
            items: components["schemas"]["Saved"][];
            /** @description The cursor of the next page; absent on the last page */
            next?: string;
        };
        SearchPage: {
            /** @description The newest first */
            items: components["schemas"]["SearchResult"][];
            /** @description The cursor of the next page; absent at the end */
            next?: string;
            /**
             * Format: date-time
             * @description With next: all messages since then have been searched
             */
            searchedTo?: string;
        };
        SearchResult: {
            /** @description With around: the message after it in its room or thread; absent if there is none */
            after?: components["schemas"]["Message"];
            /** @description With around: the message before it in its room or thread; absent if there is none */
            before?: components["schemas"]["Message"];
            /** @description One list for each attachment, with the parts of its name that the query matches, at most 100; absent if no name matches */
            fileMarks?: components["schemas"]["Mark"][][];
            /** @description The parts of the message's text that the query matches, in order, at most 100; absent for none */
            marks?: components["schemas"]["Mark"][];
            message: components["schemas"]["Message"];
            /**
             * @description The name of the message's room; empty for a direct room
             * @example Seattle
             */
            roomName: string;
        };
        SecretIncoming: {
            /** Format: date-time */
            createdAt: string;
            /** @example amsg */
            createdBy: string;
            /**
             * @description Names the webhook; it posts nothing
             * @example 5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5d
             */
            id: string;
            /**
             * @description The name of the bot that its messages have as their sender
             * @example Alerts
             */
            name: string;
            /** @example seattle */
            room: string;
            /**
             * @description The webhook's address is /in/{secret} below the API's. Only this answer has it; the server stores its hash
             * @example 5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5dmfrggzdfmztwq2lkmfrggzdfmztwq2lkmfrggzdfmztwq2lkmfra
             */
            secret: string;
            /**
             * @description The bot's user id. Nobody can sign in as it
             * @example bot:5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5d
             */
            user: string;
        };
        Status: {
            /**
             * @description One emoji, at most 40 bytes of UTF-8
             * @example 🌴
             */
            emoji?: string;
            /**
             * @description One line, at most 100 bytes of UTF-8
             * @example on holiday
             */
            text?: string;
            /**
             * Format: date-time
             * @description The status is not shown from this time on. Absent: no end
             * @example 2018-09-01T00:00:00.000Z
             */
            until?: string;
        };
        StoredEvents: {
            items: components["schemas"]["Event"][];
        };
        Suspension: {
            /**
             * Format: date-time
             * @description When it began
             */
            at: string;
            /**
             * @description The service that suspended the person, or chat suspend for the command
             * @example help-desk
             */
            by: string;
            /** @example spam */
            reason?: string;
            /** @example bob */
            user: string;
        };
        System: {
            /** @description What happened. The message's user did it; of joined it is the room's creator. A client shows the text of an event that it does not know */
            event: "joined" | "added" | "left" | "removed" | "renamed" | "topic" | "archived" | "unarchived";
            /** @description There were more people */
            more?: boolean;
            /** @description Who joined, was added, left or was removed, by user id; a message lists all who joined in an hour */
            people?: string[];
            /** @description The new name or topic; absent for a topic that was removed */
            value?: string;
        };
        ThreadMarker: {
            /** @description Whether the caller follows the thread */
            following: boolean;
            /**
             * @description The message that the replies reply to
             * @example 01890a5d-ac96-774b-bcce-b302099a8057~amsg
             */
            id: string;
            /** @example seattle */
            room: string;
            /**
             * Format: int64
             * @description The current marker
             * @example 42
             */
            seq: number;
            /**
             * Format: int64
             * @description The number of replies after the marker, as in list-own-threads
             * @example 0
             */
            unread: number;
        };
        Upload: {
            /**
             * Format: date-time
             * @description When the links expire: in 15 minutes
             */
            expiresAt: string;
            /**
             * @description The id of the upload, for attachments of post-message
             * @example 01890a5d-ac96-774b-bcce-b302099a8058
             */
            id: string;
            /** @description How to send the preview, if one was announced */
            preview?: components["schemas"]["Link"];
            /** @description How to send the file */
            put: components["schemas"]["Link"];
        };
        Vote: {
            /**
             * @description The positions of the chosen options
             * @example [
             *       0
             *     ]
             */
            choices: number[];
            /** @example bob */
            user: string;
        };
        VotePage: {
            items: components["schemas"]["Vote"][];
            /** @description The cursor of the next page; absent on the last */
            next?: string;
            /** @description With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old */
            people?: {
                [key: string]: components["schemas"]["Card"];
            };
        };
    };
    responses: {
        /** @description The current state does not allow this, or the client's clock is off */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller may not do this, or may not act for others */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request line and the headers are over 10,240 bytes together */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GatewayMessage"];
            };
        };
        /** @description The server failed */
        Internal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
                "application/problem+json": components["schemas"]["Refusal"];
            };
        };
        /** @description A field or a parameter breaks a rule; errors names each */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not valid JSON, the query cannot be decoded, or the cursor is invalid */
        Malformed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
                "application/problem+json": components["schemas"]["Refusal"];
            };
        };
        /** @description The decoded path is another, which does not have the method */
        MethodNotAllowed: {
            headers: {
                Allow?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It does not exist, or the caller may not know that it does; or the decoded path is another */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It exists, so If-Match must name the version that the change is based on */
        PreconditionRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests; API Gateway leaves Retry-After out */
        RateLimited: {
            headers: {
                RateLimit?: string;
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
                "application/problem+json": components["schemas"]["Refusal"];
            };
        };
        /** @description It has changed since the version in If-Match */
        Stale: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than any valid one */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
                "application/problem+json": components["schemas"]["Refusal"];
            };
        };
        /** @description There is no valid token */
        Unauthorized: {
            headers: {
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
                "application/problem+json": components["schemas"]["Refusal"];
            };
        };
        /** @description The service cannot answer at present; API Gateway leaves Retry-After out */
        Unavailable: {
            headers: {
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
                "application/problem+json": components["schemas"]["Refusal"];
            };
        };
        /** @description The body is not JSON in UTF-8 */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description Only entries later than this time (RFC 3339) */
        AfterParameter: string;
        /** @description Each result also has the messages before and after it */
        AroundParameter: boolean;
        /** @description Only entries earlier than this time (RFC 3339) */
        BeforeParameter: string;
        /** @description next of an answer to the same query */
        CursorParameter: string;
        /** @description The caller's name for one of their devices: A-Z a-z 0-9 . _ - */
        DeviceParameter: string;
        /** @description The document's id: a-z, 0-9 and inner - */
        DocParameter: string;
        /** @description One emoji of Unicode's list for interchange, at most 40 bytes, percent-encoded. U+FE0F may be left out */
        EmojiParameter: string;
        /** @description The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and - */
        HookParameter: string;
        /** @description <uuid>~<user> */
        IdParameter: string;
        /** @description A UUIDv7 in place of the one in the body, with or without quotes */
        IdempotencyKeyParameter: string;
        /** @description Makes the change only if the number before the - of this ETag equals the current ETag's: 412 otherwise, unless the change would change nothing. With *, to change only what exists. Without it, the last change wins */
        IfMatchParameter: string;
        /** @description ETags of answers that the client holds: 304 without a body if one of them is still the answer */
        IfNoneMatchParameter: string;
        /** @description people: the answer also has the name, avatar and status of everyone in it */
        IncludeParameter: "people"[];
        /** @description The webhook's id, which is not its secret */
        IncomingParameter: string;
        /** @description The most entries in the answer */
        LimitParameter: number;
        /** @description asc is oldest first. Default: the cursor's, or desc */
        OrderParameter: "asc" | "desc";
        /**
         * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
         * @example bob
         */
        ParleyActAsParameter: string;
        /** @description The part's id: a-z, 0-9 and inner - */
        PartParameter: string;
        /** @description Words, "phrases" and filters, at most 500 bytes of UTF-8 and 20 words and phrases. See the description */
        QParameter: string;
        /** @description The room's id: a-z, 0-9 and inner - */
        RoomParameter: string;
        /** @description The token of an invitation */
        TokenParameter: string;
        /** @description The person's user id: A-Z a-z 0-9 . _ @ | : + = - */
        UserParameter: string;
        /** @description The IANA time zone in which days begin, at most 64 bytes. Default: UTC */
        ZoneParameter: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "post-memberships": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostMembershipsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkResults"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "post-people": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostPeopleRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkResults"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "post-rooms": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostRoomsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkResults"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-events": {
        parameters: {
            query?: {
                /** @description Only entries later than this time (RFC 3339) */
                after?: components["parameters"]["AfterParameter"];
                /** @description Only entries earlier than this time (RFC 3339) */
                before?: components["parameters"]["BeforeParameter"];
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The caller's name for one of their devices: A-Z a-z 0-9 . _ - */
                device: components["parameters"]["DeviceParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "post-events": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The caller's name for one of their devices: A-Z a-z 0-9 . _ - */
                device: components["parameters"]["DeviceParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostEventsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredEvents"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-hooks": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "get-hook": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and - */
                hook: components["parameters"]["HookParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookState"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-hook": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and - */
                hook: components["parameters"]["HookParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutHookRequest"];
            };
        };
        responses: {
            /** @description The hook, which existed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookWithSecret"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookWithSecret"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-hook": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and - */
                hook: components["parameters"]["HookParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-hook-changes": {
        parameters: {
            query?: {
                /** @description The id of the last answer that the program has processed, or none: a later answer is then repeated. Without it, the last answer counts as received */
                received?: string;
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and - */
                hook: components["parameters"]["HookParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookChangePage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "replay-hook": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and - */
                hook: components["parameters"]["HookParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Replay"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "replace-hook-secret": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and - */
                hook: components["parameters"]["HookParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookSecret"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "test-hook": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and - */
                hook: components["parameters"]["HookParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "use-incoming": {
        parameters: {
            query?: {
                /** @description A key of the sender's, at most 255 bytes of UTF-8, such as an alert's. The first message of the webhook with the key begins a thread, and the others of a week are replies in it. thread_key and thread_ts in the body do the same */
                thread?: string;
            };
            header?: {
                /** @description Any text of at most 255 bytes of UTF-8 that a repeated request repeats: within 24 hours it posts nothing more, and answers with the first message */
                "Idempotency-Key"?: string;
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The secret of an incoming webhook */
                secret: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncomingMessage"];
                "application/x-www-form-urlencoded": components["schemas"]["IncomingForm"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotent-Replay"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostedIncoming"];
                };
            };
            400: components["responses"]["Malformed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "get-invite": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The token of an invitation */
                token: components["parameters"]["TokenParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["Malformed"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "use-invite": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The token of an invitation */
                token: components["parameters"]["TokenParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The membership of a person who is in the room */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-people": {
        parameters: {
            query?: {
                /** @description The beginning of any word of a name, at most 100 bytes of UTF-8; upper and lower case are the same */
                name?: string;
                /** @description A current title, at most 100 bytes of UTF-8 */
                title?: string;
                /** @description A previous title, at most 100 bytes of UTF-8 */
                had_title?: string;
                /** @description A state of residence, at most 64 bytes of UTF-8 */
                state?: string;
                /** @description User ids, separated by commas or each as a parameter, at most 100. Excludes all else */
                ids?: string[];
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-person": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the change only if the number before the - of this ETag equals the current ETag's: 412 otherwise, unless the change would change nothing. With *, to change only what exists. Without it, the last change wins */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonSettings"];
            };
        };
        responses: {
            /** @description The caller's profile in its current state */
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "patch-person": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the change only if the number before the - of this ETag equals the current ETag's: 412 otherwise, unless the change would change nothing. With *, to change only what exists. Without it, the last change wins */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchPersonRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-blocks": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-block": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The other person's user id: A-Z a-z 0-9 . _ @ | : + = - */
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-block": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The other person's user id: A-Z a-z 0-9 . _ @ | : + = - */
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-heads": {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of answers that the client holds: 304 without a body if one of them is still the answer */
                "If-None-Match"?: components["parameters"]["IfNoneMatchParameter"];
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnHeads"];
                };
            };
            /** @description The client holds the current answer */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-mentions": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MentionPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "get-notifications": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notifications"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "patch-notifications": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationChange"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notifications"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "post-picture": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BytesGiven"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PictureUpload"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-saved": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-saved": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-saved": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-own-threads": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
                /** @description people: the answer also has the name, avatar and status of everyone in it */
                include?: components["parameters"]["IncludeParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnThreadPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "get-person": {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of answers that the client holds: 304 without a body if one of them is still the answer */
                "If-None-Match"?: components["parameters"]["IfNoneMatchParameter"];
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The person's user id: A-Z a-z 0-9 . _ @ | : + = -; or me for the caller */
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description The client holds the current answer */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-person-by-id": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the change only if the number before the - of this ETag equals the current ETag's: 412 otherwise, unless the change would change nothing. With *, to change only what exists. Without it, the last change wins */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The person's user id: A-Z a-z 0-9 . _ @ | : + = - */
                user: components["parameters"]["UserParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonSettings"];
            };
        };
        responses: {
            /** @description The profile in its current state */
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["Stale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-person": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The person's user id: A-Z a-z 0-9 . _ @ | : + = - */
                user: components["parameters"]["UserParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-person-audit": {
        parameters: {
            query?: {
                /** @description Only entries later than this time (RFC 3339) */
                after?: components["parameters"]["AfterParameter"];
                /** @description Only entries earlier than this time (RFC 3339) */
                before?: components["parameters"]["BeforeParameter"];
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The person's user id: A-Z a-z 0-9 . _ @ | : + = - */
                user: components["parameters"]["UserParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-rooms-of-person": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
                /** @description people: the answer also has the name, avatar and status of everyone in it; heads: also how far all rooms of the list are */
                include?: ("people" | "heads")[];
                /** @description Room ids, separated by commas or each as a parameter, at most 50: only the rooms of the list that have these ids. Excludes cursor and include=heads */
                ids?: string[];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description me, or a user id: the caller's, or anyone's for a service */
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnRoomPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-preferences": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description me, or the caller's user id */
                user: string;
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreferencesDraft"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "get-suspension": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The person's user id: A-Z a-z 0-9 . _ @ | : + = - */
                user: components["parameters"]["UserParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suspension"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-suspension": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The person's user id: A-Z a-z 0-9 . _ @ | : + = - */
                user: components["parameters"]["UserParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutSuspensionRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suspension"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-suspension": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The person's user id: A-Z a-z 0-9 . _ @ | : + = - */
                user: components["parameters"]["UserParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-open-reports": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-rooms": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
                /** @description people: the answer also has the name, avatar and status of everyone in it */
                include?: components["parameters"]["IncludeParameter"];
                /** @description From the country down, levels separated by /, at most 6 of at most 64 bytes of UTF-8 each, 389 bytes in all; the rooms there and below. Default: all rooms */
                place?: string;
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoomPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "post-room": {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUIDv7 in place of the one in the body, with or without quotes */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostRoomRequest"];
            };
        };
        responses: {
            /** @description The direct room that these people already have, or the private room that the request created before */
            200: {
                headers: {
                    "Idempotent-Replay"?: string;
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Room"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replay"?: string;
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Room"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "get-room": {
        parameters: {
            query?: {
                /** @description people: the answer also has the name, avatar and status of everyone in it; count: also the number of members */
                include?: ("people" | "count")[];
            };
            header?: {
                /** @description ETags of answers that the client holds: 304 without a body if one of them is still the answer */
                "If-None-Match"?: components["parameters"]["IfNoneMatchParameter"];
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Room"];
                };
            };
            /** @description The client holds the current answer */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-room": {
        parameters: {
            query?: never;
            header?: {
                /** @description *: only create, and answer 412 instead of replacing */
                "If-None-Match"?: "*";
                /** @description Makes the change only if the number before the - of this ETag equals the current ETag's: 412 otherwise, unless the change would change nothing. With *, to change only what exists. Without it, the last change wins */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RoomSettings"];
            };
        };
        responses: {
            /** @description The caller's room in its current state */
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Room"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Room"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-room": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the change only if the number before the - of this ETag equals the current ETag's: 412 otherwise, unless the change would change nothing. With *, to change only what exists. Without it, the last change wins */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["Stale"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "patch-room": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the change only if the number before the - of this ETag equals the current ETag's: 412 otherwise, unless the change would change nothing. With *, to change only what exists. Without it, the last change wins */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoomSettings"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Room"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["Stale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-files": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilePage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "post-links": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostLinksRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileLinks"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-audit": {
        parameters: {
            query?: {
                /** @description Only entries later than this time (RFC 3339) */
                after?: components["parameters"]["AfterParameter"];
                /** @description Only entries earlier than this time (RFC 3339) */
                before?: components["parameters"]["BeforeParameter"];
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-bans": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
                /** @description people: the answer also has the name, avatar and status of everyone in it */
                include?: components["parameters"]["IncludeParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BanPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-changes": {
        parameters: {
            query?: {
                /** @description The since of a page of messages or of an earlier answer, unchanged. Default: the beginning of the feed */
                since?: string;
                /** @description The most changes in the answer */
                limit?: number;
                /** @description people: the answer also has the name, avatar and status of everyone in it */
                include?: components["parameters"]["IncludeParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-documents": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "get-document": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The document's id: a-z, 0-9 and inner - */
                doc: components["parameters"]["DocParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentWithParts"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-document": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The document's id: a-z, 0-9 and inner - */
                doc: components["parameters"]["DocParameter"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DocumentSettings"];
            };
        };
        responses: {
            /** @description The document in its current state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["Stale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "patch-document": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The document's id: a-z, 0-9 and inner - */
                doc: components["parameters"]["DocParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocumentSettings"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["Stale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "get-part": {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of answers that the client holds: 304 without a body if one of them is still the answer */
                "If-None-Match"?: components["parameters"]["IfNoneMatchParameter"];
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The document's id: a-z, 0-9 and inner - */
                doc: components["parameters"]["DocParameter"];
                /** @description The part's id: a-z, 0-9 and inner - */
                part: components["parameters"]["PartParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Part"];
                };
            };
            /** @description The client holds the current answer */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-part": {
        parameters: {
            query?: never;
            header?: {
                /** @description To save a part: the ETag of its newest version; left out for a new part, required for one that exists */
                "If-Match"?: string;
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The document's id: a-z, 0-9 and inner - */
                doc: components["parameters"]["DocParameter"];
                /** @description The part's id: a-z, 0-9 and inner - */
                part: components["parameters"]["PartParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutPartRequest"];
            };
        };
        responses: {
            /** @description The version that is stored */
            200: {
                headers: {
                    ETag?: string;
                    "Idempotent-Replay"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Part"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    ETag?: string;
                    "Idempotent-Replay"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Part"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["Stale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-versions": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The document's id: a-z, 0-9 and inner - */
                doc: components["parameters"]["DocParameter"];
                /** @description The part's id: a-z, 0-9 and inner - */
                part: components["parameters"]["PartParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartVersionPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "get-version": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The document's id: a-z, 0-9 and inner - */
                doc: components["parameters"]["DocParameter"];
                /** @description The part's id: a-z, 0-9 and inner - */
                part: components["parameters"]["PartParameter"];
                /** @description The version's number */
                n: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Part"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-room-hooks": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "get-room-hook": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and - */
                hook: components["parameters"]["HookParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookState"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-room-hook": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and - */
                hook: components["parameters"]["HookParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutRoomHookRequest"];
            };
        };
        responses: {
            /** @description The hook, which existed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookWithSecret"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookWithSecret"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-room-hook": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and - */
                hook: components["parameters"]["HookParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "replay-room-hook": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and - */
                hook: components["parameters"]["HookParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Replay"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "replace-room-hook-secret": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and - */
                hook: components["parameters"]["HookParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookSecret"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "test-room-hook": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and - */
                hook: components["parameters"]["HookParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-incoming": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncomingPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "post-incoming": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostIncomingRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretIncoming"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-incoming": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The webhook's id, which is not its secret */
                incoming: components["parameters"]["IncomingParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "post-incoming-secret": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The webhook's id, which is not its secret */
                incoming: components["parameters"]["IncomingParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretIncoming"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-invites": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitePage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "post-invite": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostInviteRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedInvite"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-invite": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The invitation's id, which is not its token */
                invite: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-members": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
                /** @description people: the answer also has the name, avatar and status of everyone in it */
                include?: components["parameters"]["IncludeParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "get-member": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The person's user id: A-Z a-z 0-9 . _ @ | : + = -; or me for the caller */
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-member": {
        parameters: {
            query?: {
                /** @description Refuse a user id without a profile, so that a typo adds nobody */
                strict?: boolean;
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The person's user id: A-Z a-z 0-9 . _ @ | : + = -; or me for the caller */
                user: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutMemberRequest"];
            };
        };
        responses: {
            /** @description The membership in its current state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-member": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The person's user id: A-Z a-z 0-9 . _ @ | : + = -; or me for the caller */
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-messages": {
        parameters: {
            query?: {
                /** @description The most messages in the answer */
                limit?: number;
                /** @description next or prev of an answer to the same query */
                cursor?: string;
                /** @description asc is oldest first. Default: the cursor's, or desc */
                order?: components["parameters"]["OrderParameter"];
                /** @description Only the messages of this user. Times then mean sentAt, otherwise receivedAt */
                user?: string;
                /** @description A prefix of the time in UTC, from the year to the second: 2018, 2018-08, 2018-08-29:12 … Excludes from and to */
                at?: string;
                /** @description Messages at or after this time (RFC 3339) */
                from?: string;
                /** @description Messages before this time (RFC 3339) */
                to?: string;
                /** @description A message id: the messages before and after it, newest first. Excludes all but limit */
                around?: string;
                /** @description A message id: the messages older than it, newest first. Excludes all but user and limit */
                before?: string;
                /** @description A message id: the messages newer than it, oldest first. Excludes all but user and limit */
                after?: string;
                /** @description people: the answer also has the name, avatar and status of everyone in it */
                include?: components["parameters"]["IncludeParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "post-message": {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUIDv7 in place of the one in the body, with or without quotes */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostMessageRequest"];
            };
        };
        responses: {
            /** @description A retry: the message in its current state */
            200: {
                headers: {
                    ETag?: string;
                    "Idempotent-Replay"?: string;
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    ETag?: string;
                    "Idempotent-Replay"?: string;
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "get-message": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-message": {
        parameters: {
            query?: never;
            header?: {
                /** @description To delete a message only if this is its current ETag. * or none: whatever its ETag is */
                "If-Match"?: string;
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["Stale"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "patch-message": {
        parameters: {
            query?: never;
            header?: {
                /** @description To edit a message only if this is its current ETag. * or none: whatever its ETag is */
                "If-Match"?: string;
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchMessageRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag?: string;
                    "Idempotent-Replay"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-follow": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-follow": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-pin": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-pin": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-reactions": {
        parameters: {
            query: {
                /** @description One emoji, at most 40 bytes, as in put-reaction */
                emoji: string;
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
                /** @description people: the answer also has the name, avatar and status of everyone in it */
                include?: components["parameters"]["IncludeParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReactorPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-reaction": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
                /** @description One emoji of Unicode's list for interchange, at most 40 bytes, percent-encoded. U+FE0F may be left out */
                emoji: components["parameters"]["EmojiParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReactionCounts"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-reaction": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
                /** @description One emoji of Unicode's list for interchange, at most 40 bytes, percent-encoded. U+FE0F may be left out */
                emoji: components["parameters"]["EmojiParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReactionCounts"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-thread-read": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutThreadReadRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreadMarker"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-replies": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
                /** @description asc is oldest first. Default: the cursor's, or desc */
                order?: components["parameters"]["OrderParameter"];
                /** @description people: the answer also has the name, avatar and status of everyone in it */
                include?: components["parameters"]["IncludeParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Messages"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "post-report": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostReportRequest"];
            };
        };
        responses: {
            /** @description The caller's report from before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-message-versions": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageVersionPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-vote": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutVoteRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "delete-vote": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-votes": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
                /** @description people: the answer also has the name, avatar and status of everyone in it */
                include?: components["parameters"]["IncludeParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description <uuid>~<user> */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VotePage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "get-online": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Online"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-owner": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutOwnerRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-pins": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PinPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "put-read": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutReadRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadMarker"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-reports": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "patch-report": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
                /** @description The report's id */
                report: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchReportRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "search-room": {
        parameters: {
            query: {
                /** @description Words, "phrases" and filters, at most 500 bytes of UTF-8 and 20 words and phrases. See the description */
                q: components["parameters"]["QParameter"];
                /** @description The most results in the answer */
                limit?: number;
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
                /** @description The IANA time zone in which days begin, at most 64 bytes. Default: UTC */
                zone?: components["parameters"]["ZoneParameter"];
                /** @description Each result also has the messages before and after it */
                around?: components["parameters"]["AroundParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "list-threads": {
        parameters: {
            query?: {
                /** @description The most entries in the answer */
                limit?: components["parameters"]["LimitParameter"];
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
                /** @description people: the answer also has the name, avatar and status of everyone in it */
                include?: components["parameters"]["IncludeParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Messages"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "post-upload": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path: {
                /** @description The room's id: a-z, 0-9 and inner - */
                room: components["parameters"]["RoomParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostUploadRequest"];
            };
        };
        responses: {
            /** @description A retry: new links of the same upload */
            200: {
                headers: {
                    "Idempotent-Replay"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replay"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "search-messages": {
        parameters: {
            query: {
                /** @description Words, "phrases" and filters, at most 500 bytes of UTF-8 and 20 words and phrases. See the description */
                q: components["parameters"]["QParameter"];
                /** @description The most results in the answer */
                limit?: number;
                /** @description next of an answer to the same query */
                cursor?: components["parameters"]["CursorParameter"];
                /** @description The IANA time zone in which days begin, at most 64 bytes. Default: UTC */
                zone?: components["parameters"]["ZoneParameter"];
                /** @description Each result also has the messages before and after it */
                around?: components["parameters"]["AroundParameter"];
            };
            header?: {
                /**
                 * @description The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with others
                 * @example bob
                 */
                "Parley-Act-As"?: components["parameters"]["ParleyActAsParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchPage"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}
