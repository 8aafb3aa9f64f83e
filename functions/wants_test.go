package functions_test

import "slices"

// want is the expected answer to an event.
type want struct {
	status int
	// holds is part of the body. For problems it is the end of their type.
	holds string
}

// eventWant is an event file with its expected answer.
type eventWant struct {
	file string
	want
}

// wants holds the expected answer to every event file, by function. The order matters: an event may
// depend on those before it.
var wants = []struct {
	function string
	events   []eventWant
}{
	{"write", slices.Concat(roomWrites, memberWrites, documentWrites, messageWrites, feedWrites, revisionWrites, reactionWrites, peopleWrites, activityWrites)},
	{"read", slices.Concat(roomReads, documentReads, memberReads, messageReads, feedReads, peopleReads, activityReads, pageReads)},
	{"socket", socketEvents},
}

var roomWrites = []eventWant{
	{"put-room", want{201, `"id":"seattle"`}},
	{"put-room-taken", want{409, "problem:conflict"}},
	{"put-room-malformed", want{400, "problem:malformed"}},
	{"put-room-invalid", want{422, `"location":"shards"`}},
	{"put-room-short-lived", want{201, `"id":"short-lived"`}},
	{"put-room-archive", want{200, `"archived":true`}},
	{"put-room-archived", want{403, "problem:forbidden"}},
	{"delete-room", want{204, ""}},
	{"put-room-short-lived", want{409, "problem:conflict"}},
	{"delete-room-unknown", want{404, "problem:not-found"}},
	{"post-room", want{201, `"visibility":"private"`}},
	{"post-room-requested", want{201, `"visibility":"private"`}},
	{"post-room-requested", want{200, `"visibility":"private"`}},
	{"post-room-requested-conflict", want{409, `"location":"requestId"`}},
	{"post-room-invalid", want{422, `"location":"visibility"`}},
	{"post-room-direct", want{201, `"direct":["amsg","bob"]`}},
	{"post-room-direct", want{200, `"kind":"direct"`}},
	{"post-room-direct-invalid", want{422, `"location":"direct[1]"`}},
}

var memberWrites = []eventWant{
	{"put-member-join", want{201, `"role":"member"`}},
	{"put-member-forbidden", want{403, "problem:forbidden"}},
	{"put-member-unknown-room", want{404, "problem:not-found"}},
	{"delete-member-forbidden", want{403, "problem:forbidden"}},
	{"delete-member-leave", want{204, ""}},
	{"put-owner-stranger", want{403, "problem:forbidden"}},
	{"put-owner-unknown-room", want{404, "problem:not-found"}},
	{"put-member-promote-stranger", want{409, `"location":"role"`}},
	{"post-invite", want{201, `"token":"`}},
	{"post-invite-forbidden", want{403, "problem:forbidden"}},
	{"post-invite-invalid", want{422, `"location":"expires"`}},
	{"use-invite", want{201, `"role":"member"`}},
	{"use-invite", want{200, `"role":"member"`}},
	{"use-invite-unknown", want{404, "problem:not-found"}},
	{"delete-invite", want{204, ""}},
	{"use-invite", want{404, "problem:not-found"}},
	{"delete-invite-unknown", want{404, "problem:not-found"}},
}

var documentWrites = []eventWant{
	{"put-document", want{201, `"write":"members"`}},
	{"put-document-invalid", want{422, `"location":"read"`}},
	{"put-document-forbidden", want{403, "problem:forbidden"}},
	{"put-part", want{201, `"version":1`}},
	{"put-part-next", want{200, `"version":2`}},
	{"put-part-stale", want{412, "problem:stale"}},
	{"put-part-no-etag", want{428, "problem:precondition-required"}},
	{"put-part-forbidden", want{403, "problem:forbidden"}},
	{"put-part-unknown-room", want{404, "problem:not-found"}},
}

var reactionWrites = []eventWant{
	{"put-reaction", want{204, ""}},
	{"put-reaction", want{204, ""}},
	{"put-reaction-custom", want{422, `"location":"emoji"`}},
	{"put-reaction-deleted", want{409, "problem:conflict"}},
	{"delete-reaction", want{204, ""}},
	{"put-reaction", want{204, ""}},
}

var messageWrites = []eventWant{
	{"post-message", want{201, `"text":"hello"`}},
	{"post-message-base64", want{201, `"text":"hello ☃"`}},
	{"post-message-replay", want{201, `"text":"once"`}},
	{"post-message-replay", want{200, `"text":"once"`}},
	{"post-message-metadata", want{201, `"metadata":{"size":1.50,"tags":["a",null]}`}},
	{"post-message-metadata-invalid", want{422, `"location":"metadata"`}},
	{"post-message-quote", want{201, `"user":"amsg","text":"old 2"}}`}},
	{"post-message-quote-unknown", want{422, `"location":"quote"`}},
	{"post-message-conflict", want{409, "problem:conflict"}},
	{"post-message-clock-skew", want{409, "problem:clock-skew"}},
	{"post-message-malformed", want{400, "problem:malformed"}},
	{"post-message-invalid", want{422, `"location":"user"`}},
	{"post-message-unknown-room", want{404, "problem:not-found"}},
	{"post-message-mentions", want{201, `"mentions":["bob"],"mentionRoom":true`}},
	{"post-message-mentions-repeated", want{422, `"location":"mentions[1]"`}},
	{"post-reply", want{201, `"thread":"`}},
	{"post-reply-unknown", want{422, `"location":"thread"`}},
	{"post-message-no-token", want{401, "problem:unauthorized"}},
	{"post-message-id-token", want{401, "problem:unauthorized"}},
	{"post-report", want{201, `"reason":"spam"`}},
	{"post-report", want{200, `"reason":"spam"`}},
	{"put-report-forbidden", want{403, "problem:forbidden"}},
	{"put-report", want{200, `"resolvedBy":"amsg"`}},
	{"post-message-act-as", want{201, `"user":"bob","text":"on behalf of bob"`}},
	{"post-message-act-as-scopes-as-list", want{201, `"via":"helpdesk"`}},
	{"post-message-act-as-forbidden", want{403, `"location":"Parley-Act-As"`}},
	{"post-message-act-as-invalid", want{422, `"location":"Parley-Act-As"`}},
}

var feedWrites = []eventWant{
	{"put-read", want{200, `{"room":"seattle","seq":2,"unread":0,"mentions":0}`}},
	{"put-read-back", want{200, `"seq":2`}},
	{"put-read-beyond", want{422, `"location":"seq"`}},
	{"put-read-malformed", want{400, "problem:malformed"}},
	{"put-read-unknown-room", want{404, "problem:not-found"}},
	{"put-read-message", want{200, `"seq":3`}},
	{"put-read-unread-from", want{200, `{"room":"seattle","seq":2,"unread":0,"mentions":0}`}},
	{"put-read-expired", want{422, `"location":"unreadFrom"`}},
	{"put-read-ambiguous", want{422, `"location":"message"`}},
	{"put-read-unknown-message", want{404, "problem:not-found"}},
	{"put-follow", want{204, ""}},
	{"put-follow-unknown", want{404, "problem:not-found"}},
	{"delete-follow", want{204, ""}},
	{"put-thread-read", want{200, `"seq":3,"unread":0`}},
	{"put-thread-read-beyond", want{422, `"location":"seq"`}},
	{"put-thread-read-unknown-room", want{404, "problem:not-found"}},
}

var revisionWrites = []eventWant{
	{"patch-message", want{200, `"text":"said better"`}},
	{"patch-message-metadata", want{200, `"text":"with notes","metadata":{"notes":2}`}},
	{"patch-message-stale", want{412, "problem:stale"}},
	{"patch-message-no-etag", want{200, `"revision":2`}},
	{"patch-message-invalid", want{422, `"location":"text"`}},
	{"patch-message-another", want{403, "problem:forbidden"}},
	{"delete-message-forbidden", want{403, "problem:forbidden"}},
	{"delete-message-stale", want{412, "problem:stale"}},
	{"delete-message", want{200, `"deletedBy":"amsg"`}},
	{"delete-message", want{200, `"revision":2`}},
	{"delete-message-no-etag", want{200, `"revision":2`}},
	{"delete-message-unknown", want{404, "problem:not-found"}},
	{"patch-message-deleted", want{409, "problem:conflict"}},
	{"put-pin", want{204, ""}},
	{"put-pin", want{204, ""}},
	{"put-pin-forbidden", want{403, "problem:forbidden"}},
	{"put-pin-unknown", want{404, "problem:not-found"}},
	{"put-pin-deleted", want{409, "problem:conflict"}},
	{"delete-pin", want{204, ""}},
	{"put-saved", want{204, ""}},
	{"put-saved", want{204, ""}},
	{"put-saved-unknown-room", want{404, "problem:not-found"}},
	{"put-saved-deleted", want{409, "problem:conflict"}},
	{"delete-saved", want{204, ""}},
	{"post-reply-deleted", want{409, "problem:conflict"}},
}

var peopleWrites = []eventWant{
	{"put-block", want{204, ""}},
	{"put-block-oneself", want{422, `"location":"user"`}},
	{"delete-block", want{204, ""}},
	{"put-suspension", want{200, `"by":"helpdesk","reason":"spam"`}},
	{"put-suspension", want{200, `"by":"helpdesk","reason":"spam"`}},
	{"put-suspension-forbidden", want{403, "problem:forbidden"}},
	{"put-suspension-invalid", want{422, `"location":"reason"`}},
	{"delete-suspension", want{204, ""}},
	{"put-suspension-of-another", want{200, `"user":"eve"`}},
	{"put-block-suspended", want{403, "problem:suspended"}},
	{"put-person", want{201, `"hired":"1995-07-01"`}},
	{"put-person", want{200, `"title":"System Architect"`}},
	{"put-person-new-title", want{200, `"previousTitles":["System Architect"]`}},
	{"put-person-another", want{201, `{"user":"amsg","name":"Amsel Gruber","kind":"person","state":"CA"}`}},
	{"put-person-metadata", want{200, `"metadata":{"desk":"4-17"}`}},
	{"put-person-bot", want{403, "problem:forbidden"}},
	{"put-person-malformed", want{400, "problem:malformed"}},
	{"put-person-invalid", want{422, `"location":"title"`}},
	{"put-person-no-token", want{401, "problem:unauthorized"}},
}

var activityWrites = []eventWant{
	{"post-events", want{200, `"detail":"back on wifi"`}},
	{"post-events", want{200, `"type":"connection"`}},
	{"post-events-conflict", want{409, "problem:conflict"}},
	{"post-events-invalid", want{422, `"location":"events[0].at"`}},
	{"post-events-too-old", want{422, `"location":"events[0].at"`}},
}

var roomReads = []eventWant{
	{"get-room", want{200, `"metadata":{"color":"#1b5e20"}`}},
	{"get-room-count", want{200, `"memberCount":`}},
	{"get-room-number-claims", want{200, `"name":"Seattle"`}},
	{"get-room-unknown", want{404, "problem:not-found"}},
	{"list-rooms", want{200, `"id":"seattle"`}},
}

var documentReads = []eventWant{
	{"list-documents", want{200, `"title":"The charter"`}},
	{"get-document", want{200, `"text":"We, the rain"`}},
	{"get-document-unknown", want{404, "problem:not-found"}},
	{"get-part", want{200, `"version":2`}},
	{"list-versions", want{200, `{"versions":[{"part":"preamble","version":2`}},
	{"get-version", want{200, `"text":"We, the people"`}},
	{"get-version-unknown", want{404, "problem:not-found"}},
}

var memberReads = []eventWant{
	{"list-members", want{200, `"role":"owner"`}},
	{"get-member", want{200, `"role":"owner"`}},
	{"get-online", want{200, `{"count":1,"users":["amsg"]}`}},
	{"get-online-unknown-room", want{404, "problem:not-found"}},
	{"get-member-unknown", want{404, "problem:not-found"}},
	{"list-invites", want{200, `"maxUses":10`}},
	{"list-bans", want{200, `"bans":[]`}},
	{"list-bans-forbidden", want{403, "problem:forbidden"}},
	{"list-members-with-people", want{200, `"people":{"amsg":{"name":"`}},
	{"list-my-rooms", want{200, `"lastMessage":{"id":"`}},
}

var messageReads = []eventWant{
	{"list-replies", want{200, `"text":"a reply"`}},
	{"list-replies-unknown", want{404, "problem:not-found"}},
	{"list-threads", want{200, `{"messages":[]}`}},
	{"list-mentions", want{200, `{"items":[]`}},
	{"list-own-threads", want{200, `"unread":0`}},
	{"list-pins", want{200, `"items":[{"pinnedBy":"amsg"`}},
	{"list-saved", want{200, `"items":[{"savedAt":"`}},
	{"list-pins-unknown-room", want{404, "problem:not-found"}},
	{"list-reports", want{200, `"reporter":"bob"`}},
	{"list-open-reports", want{200, `{"reports":[]}`}},
	{"list-open-reports-forbidden", want{403, "problem:forbidden"}},
	{"list-messages", want{200, "old 5"}},
	{"list-messages-compressed", want{200, "old 5"}},
	{"list-messages-page", want{200, `"next":"`}},
	{"list-messages-oldest-first", want{200, `{"messages":[{"id":"0165858d-fe7b`}},
	{"list-messages-of-a-user", want{200, `"text":"hello"`}},
	{"list-messages-of-a-user-in-a-month", want{200, "old 0"}},
	{"list-messages-of-an-hour", want{200, "old 1"}},
	{"list-messages-of-a-range", want{200, "old 2"}},
	{"list-messages-around", want{200, `"prev":"`}},
	{"list-messages-before", want{200, `"text":"old 1"`}},
	{"list-messages-after", want{200, `"text":"old 3"`}},
	{"list-messages-bad-cursor", want{400, "problem:bad-cursor"}},
	{"list-messages-invalid", want{422, `"location":"limit"`}},
	{"list-messages-unknown-room", want{404, "problem:not-found"}},
	{"list-messages-no-token", want{401, "problem:unauthorized"}},
	{"get-message", want{200, "old 2"}},
	{"get-message-unknown", want{404, "problem:not-found"}},
	{"list-message-versions", want{200, `{"versions":[{"version":2,"text":"said better"`}},
	{"list-message-versions-deleted", want{200, `{"versions":[{"version":1,"text":""`}},
	{"list-message-versions-unknown", want{404, "problem:not-found"}},
	{"list-reactions", want{200, `{"items":[{"user":"amsg"}]}`}},
}

var feedReads = []eventWant{
	{"list-changes", want{200, `{"changes":[{"seq":1,"type":"room.changed","room":{"id":"seattle"}}`}},
	{"list-changes-since", want{200, `"text":"old 2"`}},
	{"list-changes-reset", want{200, `"reset":true`}},
	{"list-changes-invalid", want{422, `"location":"since"`}},
	{"list-changes-unknown-room", want{404, "problem:not-found"}},
}

var peopleReads = []eventWant{
	{"list-blocks", want{200, `{"blocks":["bob"]}`}},
	{"get-suspension", want{200, `"reason":"a stolen token"`}},
	{"get-suspension-none", want{404, "problem:not-found"}},
	{"get-suspension-forbidden", want{403, "problem:forbidden"}},
	{"get-person", want{200, `"title":"Director of Technology"`}},
	{"get-person-me", want{200, `"user":"e129"`}},
	{"get-person-unknown", want{404, "problem:not-found"}},
	{"list-people-by-name", want{200, `{"people":[{"user":"e129","name":"Rhianna Cohen"}]}`}},
	{"list-people-by-ids", want{200, `{"people":[{"user":"e129","name":"Rhianna Cohen"},{"user":"nobody","name":"nobody"}]}`}},
	{"list-people-by-title", want{200, `{"people":[{"user":"e129","name":"Rhianna Cohen","title":"Director of Technology"}]}`}},
	{"list-people-by-former-title", want{200, `"previousTitle":"System Architect"`}},
	{"list-people-by-state", want{200, `{"people":[{"user":"amsg","name":"Amsel Gruber","state":"CA"},{"user":"e129"`}},
	{"list-people-page", want{200, `"state":"CA"}],"next":"`}},
	{"list-people-bad-cursor", want{400, "problem:bad-cursor"}},
	{"list-people-invalid", want{422, `"location":"state"`}},
	{"list-people-no-token", want{401, "problem:unauthorized"}},
}

var activityReads = []eventWant{
	{"list-events", want{200, `"detail":"back on wifi"}]}`}},
	{"list-events-between", want{200, `{"events":[]}`}},
	{"list-events-of-another", want{200, `{"events":[]}`}},
	{"list-person-audit", want{200, `"action":"person.unsuspended","on":"mallory"}`}},
	{"list-audit", want{200, `{"audit":[`}},
	{"list-audit-forbidden", want{403, "problem:forbidden"}},
	{"list-audit-unknown-room", want{404, "problem:not-found"}},
}

var pageReads = []eventWant{
	{"openapi", want{200, `"openapi":"3.1.0"`}},
	{"openapi-3.0", want{200, `"openapi":"3.0.3"`}},
	{"asyncapi", want{200, `"asyncapi": "3.0.0"`}},
	{"docs", want{200, "<title>Parley API</title>"}},
	{"docs-compressed", want{200, "<title>Parley API</title>"}},
	{"docs-not-modified", want{304, ""}},
	{"unknown-path", want{404, "problem:not-found"}},
	{"unknown-path-greedy", want{404, "problem:not-found"}},
	{"unknown-method", want{404, "problem:not-found"}},
	{"unknown-head", want{404, ""}},
}

// socketEvents are the life of a connection, in order. The answer to a message is a frame. An
// expired connection is told so and ended, and gets no answer.
var socketEvents = []eventWant{
	{"connect", want{200, ""}},
	{"connect-unauthorized", want{401, ""}},
	{"hello", want{200, `"id":"seattle","head":`}},
	{"hello-recent-rooms", want{200, `"id":"seattle","head":`}},
	{"hello-unknown-room", want{200, "problem:not-found"}},
	{"hello-invalid", want{200, `"location":"rooms[0].id"`}},
	{"hello-expired", want{200, ""}},
	{"subscribe", want{200, `"type":"ack"`}},
	{"subscribe-unknown-room", want{200, "problem:not-found"}},
	{"subscribe-invalid", want{200, `"location":"rooms[0].mode"`}},
	{"typing", want{200, `"type":"ack"`}},
	{"typing-again", want{200, "problem:rate-limited"}},
	{"typing-elsewhere", want{200, "problem:"}},
	{"sync", want{200, `"id":"seattle","head":`}},
	{"renew", want{200, `"id":"seattle","head":`}},
	{"renew-invalid", want{200, "problem:unauthorized"}},
	{"unsubscribe", want{200, `"type":"ack"`}},
	{"unsubscribe-invalid", want{200, `"location":"rooms"`}},
	{"unknown-type", want{200, `"location":"type"`}},
	{"malformed", want{200, "problem:malformed"}},
	{"too-large", want{200, "problem:"}},
	{"disconnect", want{200, ""}},
}
