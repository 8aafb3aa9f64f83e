package requests

import "slices"

// Reads has the requests of the read function, which come after Writes.
var Reads = slices.Concat(roomReads, documentReads, memberReads, messageReads, fileReads, feedReads, peopleReads, activityReads, pageReads)

var roomReads = []Request{
	{Name: "get-room", Route: "GET /rooms/{room}", Path: "/rooms/seattle", Status: 200, Holds: `"metadata":{"color":"#1b5e20"}`},
	{Name: "get-room-count", Route: "GET /rooms/{room}", Path: "/rooms/seattle?include=count", Status: 200, Holds: `"memberCount":`},
	{Name: "get-room-number-claims", Route: "GET /rooms/{room}", Path: "/rooms/seattle", Claims: map[string]any{"sub": "amsg", "token_use": "access", "client_id": "example", "exp": 1535550000, "email_verified": true}, Status: 200, Holds: `"name":"Seattle"`},
	{Name: "get-room-unknown", Route: "GET /rooms/{room}", Path: "/rooms/nowhere", Status: 404, Holds: "/problems/not-found"},
	{Name: "list-rooms", Route: "GET /rooms", Path: "/rooms?place=USA%2FWA", Status: 200, Holds: `"id":"seattle"`},
}

var documentReads = []Request{
	{Name: "list-documents", Route: "GET /rooms/{room}/documents", Path: "/rooms/seattle/documents", Status: 200, Holds: `"title":"The charter"`},
	{Name: "get-document", Route: "GET /rooms/{room}/documents/{doc}", Path: "/rooms/seattle/documents/charter", Status: 200, Holds: `"text":"We, the rain"`},
	{Name: "get-document-unknown", Route: "GET /rooms/{room}/documents/{doc}", Path: "/rooms/seattle/documents/nothing", Status: 404, Holds: "/problems/not-found"},
	{Name: "get-part", Route: "GET /rooms/{room}/documents/{doc}/parts/{part}", Path: "/rooms/seattle/documents/charter/parts/preamble", Status: 200, Holds: `"version":2`},
	{Name: "list-versions", Route: "GET /rooms/{room}/documents/{doc}/parts/{part}/versions", Path: "/rooms/seattle/documents/charter/parts/preamble/versions", Status: 200, Holds: `{"items":[{"part":"preamble","version":2`},
	{Name: "get-version", Route: "GET /rooms/{room}/documents/{doc}/parts/{part}/versions/{n}", Path: "/rooms/seattle/documents/charter/parts/preamble/versions/1", Status: 200, Holds: `"text":"We, the people"`},
	{Name: "get-version-unknown", Route: "GET /rooms/{room}/documents/{doc}/parts/{part}/versions/{n}", Path: "/rooms/seattle/documents/charter/parts/preamble/versions/3", Status: 404, Holds: "/problems/not-found"},
}

var memberReads = []Request{
	{Name: "list-members", Route: "GET /rooms/{room}/members", Path: "/rooms/seattle/members", Status: 200, Holds: `"role":"owner"`},
	{Name: "get-member", Route: "GET /rooms/{room}/members/{user}", Path: "/rooms/seattle/members/me", Status: 200, Holds: `"role":"owner"`},
	{Name: "get-online", Route: "GET /rooms/{room}/online", Path: "/rooms/seattle/online", Status: 200, Holds: `{"count":1,"users":["amsg"]}`},
	{Name: "get-online-unknown-room", Route: "GET /rooms/{room}/online", Path: "/rooms/nowhere/online", Status: 404, Holds: "/problems/not-found"},
	{Name: "get-member-unknown", Route: "GET /rooms/{room}/members/{user}", Path: "/rooms/seattle/members/nobody", Status: 404, Holds: "/problems/not-found"},
	{Name: "list-invites", Route: "GET /rooms/{room}/invites", Path: "/rooms/seattle/invites", Status: 200, Holds: `"maxUses":10`},
	{Name: "get-invite", Route: "GET /invites/{token}", Path: "/invites/ofrggzdfmztwq2lkmfrggzdfmztwq2lk", NoToken: true, Status: 200, Holds: `"inviter":"`},
	{Name: "get-invite-unknown", Route: "GET /invites/{token}", Path: "/invites/unknown", NoToken: true, Status: 404, Holds: "/problems/not-found"},
	{Name: "list-bans", Route: "GET /rooms/{room}/bans", Path: "/rooms/seattle/bans", Status: 200, Holds: `"items":[]`},
	{Name: "list-bans-forbidden", Route: "GET /rooms/{room}/bans", Path: "/rooms/seattle/bans", User: "stranger", Status: 403, Holds: "/problems/forbidden"},
	{Name: "list-members-with-people", Route: "GET /rooms/{room}/members", Path: "/rooms/seattle/members?include=people", Status: 200, Holds: `"people":{"amsg":{"name":"`},
	{Name: "list-my-rooms", Route: "GET /people/{user}/rooms", Path: "/people/me/rooms", Status: 200, Holds: `"lastMessage":{"id":"`},
}

var messageReads = []Request{
	{Name: "list-replies", Route: "GET /rooms/{room}/messages/{id}/replies", Path: "/rooms/seattle/messages/{{message}}/replies", Status: 200, Holds: `"text":"a reply"`},
	{Name: "list-replies-unknown", Route: "GET /rooms/{room}/messages/{id}/replies", Path: "/rooms/seattle/messages/0165858d-fe7b-7fff-8000-000000000000~amsg/replies", Status: 404, Holds: "/problems/not-found"},
	{Name: "list-threads", Route: "GET /rooms/{room}/threads", Path: "/rooms/seattle/threads", Status: 200, Holds: `{"items":[]}`},
	{Name: "list-heads", Route: "GET /people/me/heads", Status: 200, Holds: `"messages":`},
	{Name: "get-notifications", Route: "GET /people/me/notifications", Status: 200, Holds: `"level":"direct"`},
	{Name: "list-mentions", Route: "GET /people/me/mentions", Status: 200, Holds: `{"items":[]`},
	{Name: "list-own-threads", Route: "GET /people/me/threads", Status: 200, Holds: `"unread":0`},
	{Name: "list-pins", Route: "GET /rooms/{room}/pins", Path: "/rooms/seattle/pins", Status: 200, Holds: `"items":[{"pinnedBy":"amsg"`},
	{Name: "list-saved", Route: "GET /people/me/saved", Status: 200, Holds: `"items":[{"savedAt":"`},
	{Name: "list-pins-unknown-room", Route: "GET /rooms/{room}/pins", Path: "/rooms/nowhere/pins", Status: 404, Holds: "/problems/not-found"},
	{Name: "list-reports", Route: "GET /rooms/{room}/reports", Path: "/rooms/seattle/reports", Status: 200, Holds: `"reporter":"bob"`},
	{Name: "list-open-reports", Route: "GET /reports", Claims: helpdesk, Status: 200, Holds: `{"items":[]}`},
	{Name: "list-open-reports-forbidden", Route: "GET /reports", Status: 403, Holds: "/problems/forbidden"},
	{Name: "list-messages", Route: "GET /rooms/{room}/messages", Path: "/rooms/seattle/messages", Status: 200, Holds: "old 5"},
	{Name: "list-messages-compressed", Route: "GET /rooms/{room}/messages", Path: "/rooms/seattle/messages", Header: map[string]string{"accept-encoding": "gzip, deflate, br"}, Status: 200, Holds: "old 5"},
	{Name: "list-messages-page", Route: "GET /rooms/{room}/messages", Path: "/rooms/seattle/messages?limit=2", Status: 200, Holds: `"next":"`},
	{Name: "list-messages-oldest-first", Route: "GET /rooms/{room}/messages", Path: "/rooms/seattle/messages?order=asc", Status: 200, Holds: `{"items":[{"id":"0165858d-fe7b`},
	{Name: "list-messages-of-a-user", Route: "GET /rooms/{room}/messages", Path: "/rooms/seattle/messages?user=amsg", Status: 200, Holds: `"text":"hello"`},
	{Name: "list-messages-of-a-user-in-a-month", Route: "GET /rooms/{room}/messages", Path: "/rooms/seattle/messages?user=amsg&at=2018-08", Status: 200, Holds: "old 0"},
	{Name: "list-messages-of-an-hour", Route: "GET /rooms/{room}/messages", Path: "/rooms/seattle/messages?at=2018-08-29%3A12", Status: 200, Holds: "old 1"},
	{Name: "list-messages-of-a-range", Route: "GET /rooms/{room}/messages", Path: "/rooms/seattle/messages?from=2018-08-29T12%3A00%3A00Z&to=2018-08-29T12%3A30%3A00Z", Status: 200, Holds: "old 2"},
	{Name: "list-messages-around", Route: "GET /rooms/{room}/messages", Path: "/rooms/seattle/messages?around={{message}}&limit=3", Status: 200, Holds: `"prev":"`},
	{Name: "list-messages-before", Route: "GET /rooms/{room}/messages", Path: "/rooms/seattle/messages?before={{message}}&limit=1", Status: 200, Holds: `"text":"old 1"`},
	{Name: "list-messages-after", Route: "GET /rooms/{room}/messages", Path: "/rooms/seattle/messages?after={{message}}&limit=1", Status: 200, Holds: `"text":"old 3"`},
	{Name: "list-messages-bad-cursor", Route: "GET /rooms/{room}/messages", Path: "/rooms/seattle/messages?cursor=AAAA", Status: 400, Holds: "/problems/bad-cursor"},
	{Name: "list-messages-invalid", Route: "GET /rooms/{room}/messages", Path: "/rooms/seattle/messages?limit=201", Status: 422, Holds: `"location":"limit"`},
	{Name: "list-messages-unknown-room", Route: "GET /rooms/{room}/messages", Path: "/rooms/nowhere/messages", Status: 404, Holds: "/problems/not-found"},
	{Name: "list-messages-no-token", Route: "GET /rooms/{room}/messages", Path: "/rooms/seattle/messages", NoToken: true, Status: 401, Holds: "/problems/unauthorized"},
	{Name: "get-message", Route: "GET /rooms/{room}/messages/{id}", Path: "/rooms/seattle/messages/{{message}}", Status: 200, Holds: "old 2"},
	{Name: "get-message-unknown", Route: "GET /rooms/{room}/messages/{id}", Path: "/rooms/seattle/messages/0165858d-fe7b-7102-8304-05060708090a~nobody", Status: 404, Holds: "/problems/not-found"},
	{Name: "list-message-versions", Route: "GET /rooms/{room}/messages/{id}/versions", Path: "/rooms/seattle/messages/{{edited}}/versions", Status: 200, Holds: `{"items":[{"version":2,"text":"said better"`},
	{Name: "list-message-versions-deleted", Route: "GET /rooms/{room}/messages/{id}/versions", Path: "/rooms/seattle/messages/{{deleted}}/versions", Status: 200, Holds: `{"items":[{"version":1,"text":""`},
	{Name: "list-message-versions-unknown", Route: "GET /rooms/{room}/messages/{id}/versions", Path: "/rooms/seattle/messages/0165858d-fe7b-7fff-8000-000000000000~amsg/versions", Status: 404, Holds: "/problems/not-found"},
	{Name: "list-votes", Route: "GET /rooms/{room}/messages/{id}/votes", Path: "/rooms/seattle/messages/{{poll}}/votes", Status: 200, Holds: `{"items":[{"user":"amsg","choices":[1]}]}`},
	{Name: "list-reactions", Route: "GET /rooms/{room}/messages/{id}/reactions", Path: "/rooms/seattle/messages/{{message}}/reactions?emoji=%F0%9F%91%8D", Status: 200, Holds: `{"items":[{"user":"amsg"}]}`},
}

var fileReads = []Request{
	{Name: "post-links", Route: "POST /rooms/{room}/attachments/links", Path: "/rooms/seattle/attachments/links", Body: `{"messages":["{{filed}}~amsg","{{message}}"]}`, Status: 200, Holds: `"url":"http`},
	{Name: "post-links-invalid", Route: "POST /rooms/{room}/attachments/links", Path: "/rooms/seattle/attachments/links", Body: `{"messages":["1"]}`, Status: 422, Holds: `"location":"messages[0]"`},
	{Name: "post-links-unknown-room", Route: "POST /rooms/{room}/attachments/links", Path: "/rooms/nowhere/attachments/links", Body: `{"messages":["{{message}}"]}`, Status: 404, Holds: "/problems/not-found"},
	{Name: "list-files", Route: "GET /rooms/{room}/attachments", Path: "/rooms/seattle/attachments", Status: 200, Holds: `"attachment":{"id":"`},
	{Name: "list-files-bad-cursor", Route: "GET /rooms/{room}/attachments", Path: "/rooms/seattle/attachments?cursor=AAAA", Status: 400, Holds: "/problems/bad-cursor"},
	{Name: "list-files-unknown-room", Route: "GET /rooms/{room}/attachments", Path: "/rooms/nowhere/attachments", Status: 404, Holds: "/problems/not-found"},
}

var feedReads = []Request{
	{Name: "list-changes", Route: "GET /rooms/{room}/changes", Path: "/rooms/seattle/changes", Status: 200, Holds: `{"items":[{"seq":1,"type":"room.changed","room":{"id":"seattle"}}`},
	{Name: "list-changes-since", Route: "GET /rooms/{room}/changes", Path: "/rooms/seattle/changes?since=AxZPuEFeRPfFBgJcMjAxOC0wOC0yOVQxMTo1OTowMC4wMDA&limit=10", Status: 200, Holds: `"text":"old 2"`},
	{Name: "list-changes-reset", Route: "GET /rooms/{room}/changes", Path: "/rooms/seattle/changes?since=AxZPuEFeRPfFCsYBXDIwMTgtMDgtMjlUMTE6NTk6MDAuMDAw", Status: 200, Holds: `"reset":true`},
	{Name: "list-changes-invalid", Route: "GET /rooms/{room}/changes", Path: "/rooms/seattle/changes?since=41", Status: 422, Holds: `"location":"since"`},
	{Name: "list-changes-unknown-room", Route: "GET /rooms/{room}/changes", Path: "/rooms/nowhere/changes", Status: 404, Holds: "/problems/not-found"},
}

var peopleReads = []Request{
	{Name: "list-blocks", Route: "GET /people/me/blocks", Status: 200, Holds: `{"items":[{"user":"bob"}]}`},
	{Name: "list-rooms-of-another", Route: "GET /people/{user}/rooms", Path: "/people/amsg/rooms", Claims: helpdesk, Status: 200, Holds: `"lastMessage":{"id":"`},
	{Name: "list-rooms-of-another-forbidden", Route: "GET /people/{user}/rooms", Path: "/people/bob/rooms", Status: 403, Holds: "/problems/forbidden"},
	{Name: "get-suspension", Route: "GET /people/{user}/suspension", Path: "/people/eve/suspension", Claims: helpdesk, Status: 200, Holds: `"reason":"a stolen token"`},
	{Name: "get-suspension-none", Route: "GET /people/{user}/suspension", Path: "/people/mallory/suspension", Claims: helpdesk, Status: 404, Holds: "/problems/not-found"},
	{Name: "get-suspension-forbidden", Route: "GET /people/{user}/suspension", Path: "/people/eve/suspension", Status: 403, Holds: "/problems/forbidden"},
	{Name: "get-person", Route: "GET /people/{user}", Path: "/people/e129", User: "e129", Status: 200, Holds: `"title":"Director of Technology"`},
	{Name: "get-person-me", Route: "GET /people/{user}", Path: "/people/me", User: "e129", Status: 200, Holds: `"user":"e129"`},
	{Name: "get-person-unknown", Route: "GET /people/{user}", Path: "/people/nobody", User: "e129", Status: 404, Holds: "/problems/not-found"},
	{Name: "list-people-by-name", Route: "GET /people", Path: "/people?name=Rhi", User: "e129", Status: 200, Holds: `{"items":[{"user":"e129","name":"Rhianna Cohen","skeleton":"rhlanna cohen"}]}`},
	{Name: "list-people-by-ids", Route: "GET /people", Path: "/people?ids=e129,nobody", User: "e129", Status: 200, Holds: `{"items":[{"user":"e129","name":"Rhianna Cohen","skeleton":"rhlanna cohen"},{"user":"nobody","name":"nobody","skeleton":"nobody"}]}`},
	{Name: "list-people-by-title", Route: "GET /people", Path: "/people?title=Director%20of%20Technology", User: "e129", Status: 200, Holds: `{"items":[{"user":"e129","name":"Rhianna Cohen","skeleton":"rhlanna cohen","title":"Director of Technology"}]}`},
	{Name: "list-people-by-former-title", Route: "GET /people", Path: "/people?had_title=System%20Architect", User: "e129", Status: 200, Holds: `"previousTitle":"System Architect"`},
	{Name: "list-people-by-state", Route: "GET /people", Path: "/people?state=CA", User: "e129", Status: 200, Holds: `{"items":[{"user":"amsg","name":"Amsel Gruber","skeleton":"arnsel gruber","state":"CA"},{"user":"e129"`},
	{Name: "list-people-page", Route: "GET /people", Path: "/people?state=CA&limit=1", User: "e129", Status: 200, Holds: `"state":"CA"}],"next":"`},
	{Name: "list-people-bad-cursor", Route: "GET /people", Path: "/people?state=CA&cursor=AAAA", User: "e129", Status: 400, Holds: "/problems/bad-cursor"},
	{Name: "list-people-invalid", Route: "GET /people", Path: "/people?state=CA&title=Clerk", User: "e129", Status: 422, Holds: `"location":"state"`},
	{Name: "list-people-no-token", Route: "GET /people", Path: "/people?state=CA", NoToken: true, Status: 401, Holds: "/problems/unauthorized"},
}

var activityReads = []Request{
	{Name: "list-events", Route: "GET /devices/{device}/events", Path: "/devices/phone/events", Status: 200, Holds: `"detail":"back on wifi"}]}`},
	{Name: "list-events-between", Route: "GET /devices/{device}/events", Path: "/devices/phone/events?after=2018-08-29T12:00:00Z&before=2018-08-30T12:00:00Z", Status: 200, Holds: `{"items":[]}`},
	{Name: "list-events-of-another", Route: "GET /devices/{device}/events", Path: "/devices/phone/events", User: "bob", Status: 200, Holds: `{"items":[]}`},
	{Name: "list-person-audit", Route: "GET /people/{user}/audit", Path: "/people/mallory/audit", Claims: helpdesk, Status: 200, Holds: `"action":"person.unsuspended","on":"mallory"}`},
	{Name: "list-audit", Route: "GET /rooms/{room}/audit", Path: "/rooms/seattle/audit", Status: 200, Holds: `{"items":[`},
	{Name: "list-audit-forbidden", Route: "GET /rooms/{room}/audit", Path: "/rooms/seattle/audit", User: "stranger", Status: 403, Holds: "/problems/forbidden"},
	{Name: "list-audit-unknown-room", Route: "GET /rooms/{room}/audit", Path: "/rooms/nowhere/audit", Status: 404, Holds: "/problems/not-found"},
}

var pageReads = []Request{
	{Name: "openapi", Route: "GET /openapi.json", NoToken: true, Status: 200, Holds: `"openapi":"3.1.0"`},
	{Name: "openapi-3.0", Route: "GET /openapi-3.0.json", NoToken: true, Status: 200, Holds: `"openapi":"3.0.3"`},
	{Name: "asyncapi", Route: "GET /asyncapi.json", NoToken: true, Status: 200, Holds: `"asyncapi": "3.0.0"`},
	{Name: "docs", Route: "GET /docs", NoToken: true, Status: 200, Holds: "<title>Parley API</title>"},
	{Name: "docs-compressed", Route: "GET /docs", NoToken: true, Header: map[string]string{"accept-encoding": "gzip, deflate, br"}, Status: 200, Holds: "<title>Parley API</title>"},
	{Name: "docs-not-modified", Route: "GET /docs", NoToken: true, Header: map[string]string{"if-none-match": "*"}, Status: 304},
	{Name: "problem", Route: "GET /problems/{type}", Path: "/problems/conflict", NoToken: true, Status: 200, Holds: "<h1>Conflict</h1>"},
	{Name: "unknown-path", Route: "GET /{proxy+}", Path: "/nowhere", Status: 404, Holds: "/problems/not-found"},
	{Name: "unknown-path-greedy", Route: "GET /{proxy+}", Path: "/rooms/seattle/nothing", Status: 404, Holds: "/problems/not-found"},
	{Name: "head", Route: "HEAD /{proxy+}", Path: "/rooms/seattle", Status: 200},
}

// Searches has the requests of the search function, which come after Reads.
var Searches = []Request{
	{Name: "search-messages", Route: "GET /search", Path: "/search?q=hello%20from%3Ame&limit=10", Status: 200, Holds: `"roomName":"Seattle","marks":[{"from":0,"to":5}]`},
	{Name: "search-messages-around", Route: "GET /search", Path: "/search?q=%22old%202%22&around=true&zone=Europe%2FParis", Status: 200, Holds: `"before":{"id":"`},
	{Name: "search-messages-nothing", Route: "GET /search", Path: "/search?q=geheimnis", Status: 200, Holds: `{"items":[]}`},
	{Name: "search-messages-page", Route: "GET /search", Path: "/search?q=in%3Aseattle%20old&limit=2", Status: 200, Holds: `"next":"`},
	{Name: "search-messages-bad-cursor", Route: "GET /search", Path: "/search?q=old&cursor=AAAA", Status: 400, Holds: "/problems/bad-cursor"},
	{Name: "search-messages-invalid", Route: "GET /search", Path: "/search?q=old%20on%3Ayesterday", Status: 422, Holds: "at character 5"},
	{Name: "search-messages-unknown-room", Route: "GET /search", Path: "/search?q=in%3Anowhere%20old", Status: 404, Holds: "/problems/not-found"},
	{Name: "search-messages-no-token", Route: "GET /search", Path: "/search?q=old", NoToken: true, Status: 401, Holds: "/problems/unauthorized"},
	{Name: "search-room", Route: "GET /rooms/{room}/search", Path: "/rooms/seattle/search?q=old", Status: 200, Holds: `"text":"old 5"`},
	{Name: "search-room-other-room", Route: "GET /rooms/{room}/search", Path: "/rooms/seattle/search?q=in%3Atacoma%20old", Status: 422, Holds: `"location":"q"`},
	{Name: "search-room-unknown", Route: "GET /rooms/{room}/search", Path: "/rooms/nowhere/search?q=old", Status: 404, Holds: "/problems/not-found"},
}
