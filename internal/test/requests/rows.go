package requests

import (
	"slices"
)

// Reads has the requests of the read function, which come after Writes.
var Reads = slices.Concat(roomReads, documentReads, memberReads, messageReads, fileReads, feedReads, hookReads, peopleReads, activityReads, pageReads)

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
	{Name: "list-incoming", Route: "GET /rooms/{room}/incoming", Path: "/rooms/seattle/incoming", Status: 200, Holds: `"name":"Alerts"`},
	{Name: "list-incoming-forbidden", Route: "GET /rooms/{room}/incoming", Path: "/rooms/seattle/incoming", User: "bob", Status: 403, Holds: "/problems/forbidden"},
	{Name: "get-invite", Route: "GET /invites/{token}", Path: "/invites/ofrggzdfmztwq2lkmfrggzdfmztwq2lk", NoToken: true, Status: 200, Holds: `"inviter":"`},
	{Name: "get-invite-unknown", Route: "GET /invites/{token}", Path: "/invites/unknown", NoToken: true, Status: 404, Holds: "/problems/not-found"},
	{Name: "list-bans", Route: "GET /rooms/{room}/bans", Path: "/rooms/seattle/bans", Status: 200, Holds: `"items":[]`},
	{Name: "list-bans-forbidden", Route: "GET /rooms/{room}/bans", Path: "/rooms/seattle/bans", User: "stranger", Status: 403, Holds: "/problems/forbidden"},
	{Name: "list-members-with-people", Route: "GET /rooms/{room}/members", Path: "/rooms/seattle/members?include=people", Status: 200, Holds: `"people":{"amsg":{"name":"`},
	{Name: "list-my-rooms", Route: "GET /people/{user}/rooms", Path: "/people/me/rooms", Status: 200, Holds: `"lastMessage":{"id":"`},
}

var hookReads = []Request{
	{Name: "get-hook", Route: "GET /hooks/{hook}", Path: "/hooks/moderator", Claims: helpdesk, Status: 200, Holds: `"waiting":`},
	{Name: "get-hook-unknown", Route: "GET /hooks/{hook}", Path: "/hooks/another", Claims: helpdesk, Status: 404, Holds: "/problems/not-found"},
	{Name: "list-hooks", Route: "GET /hooks", Claims: helpdesk, Status: 200, Holds: `{"items":[{"id":"moderator",`},
	{Name: "list-hook-changes", Route: "GET /hooks/{hook}/changes", Path: "/hooks/moderator/changes?received=none", Claims: helpdesk, Status: 200, Holds: `"items":[`},
	{Name: "list-hook-changes-again", Route: "GET /hooks/{hook}/changes", Path: "/hooks/moderator/changes", Claims: helpdesk, Status: 200, Holds: `"more":false`},
	{Name: "list-hook-changes-forbidden", Route: "GET /hooks/{hook}/changes", Path: "/hooks/moderator/changes", Status: 403, Holds: "/problems/forbidden"},
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

// Writes has the requests of the write function, in an order in which each finds what it needs.
var Writes = slices.Concat(roomWrites, memberWrites, documentWrites, messageWrites, fileWrites, feedWrites, revisionWrites, reactionWrites, peopleWrites, activityWrites)

var roomWrites = []Request{
	{Name: "put-room", Route: "PUT /rooms/{room}", Path: "/rooms/seattle", Body: `{"name":"Seattle","topic":"rain and coffee","place":["USA","WA","Seattle"],"shards":2,"archived":false,"receipts":true,"pinning":"moderators","metadata":{"color":"#1b5e20"}}`, Status: 201, Holds: `"id":"seattle"`},
	{Name: "put-room-taken", Route: "PUT /rooms/{room}", Path: "/rooms/seattle", Body: `{"name":"Mine"}`, User: "bob", Status: 409, Holds: "/problems/conflict"},
	{Name: "put-room-malformed", Route: "PUT /rooms/{room}", Path: "/rooms/seattle", Body: `{"name":"Seattle"`, Status: 400, Holds: "/problems/malformed"},
	{Name: "put-room-invalid", Route: "PUT /rooms/{room}", Path: "/rooms/seattle", Body: `{"shards":65}`, Status: 422, Holds: `"location":"shards"`},
	{Name: "put-room-short-lived", Route: "PUT /rooms/{room}", Path: "/rooms/short-lived", Body: `{"name":"Mine"}`, Status: 201, Holds: `"id":"short-lived"`},
	{Name: "put-member-invite", Route: "PUT /rooms/{room}/members/{user}", Path: "/rooms/short-lived/members/bob", Body: `{"role":"member"}`, Status: 201, Holds: `"role":"member"`},
	{Name: "put-owner", Route: "PUT /rooms/{room}/owner", Path: "/rooms/short-lived/owner", Body: `{"user":"bob"}`, Status: 200, Holds: `"user":"bob"`},
	{Name: "put-owner-back", Route: "PUT /rooms/{room}/owner", Path: "/rooms/short-lived/owner", Body: `{"user":"amsg"}`, User: "bob", Status: 200, Holds: `"user":"amsg"`},
	{Name: "patch-room", Route: "PATCH /rooms/{room}", Path: "/rooms/short-lived", Body: `{"topic":"soon over"}`, Status: 200, Holds: `"topic":"soon over"`},
	{Name: "patch-room-stale", Route: "PATCH /rooms/{room}", Path: "/rooms/short-lived", Body: `{"topic":"too late"}`, Header: map[string]string{"if-match": `"0-47DEQpj8HBSa-_TI"`}, Status: 412, Holds: "/problems/stale"},
	{Name: "patch-room-forbidden", Route: "PATCH /rooms/{room}", Path: "/rooms/short-lived", Body: `{"topic":"mine"}`, User: "bob", Status: 403, Holds: "/problems/forbidden"},
	{Name: "put-room-archive", Route: "PUT /rooms/{room}", Path: "/rooms/short-lived", Body: `{"archived":true}`, Status: 200, Holds: `"archived":true`},
	{Name: "put-room-archived", Route: "PUT /rooms/{room}", Path: "/rooms/short-lived", Body: `{"topic":"too late"}`, Status: 403, Holds: "/problems/forbidden"},
	{Name: "delete-room", Route: "DELETE /rooms/{room}", Path: "/rooms/short-lived", Status: 204},
	{Name: "put-room-short-lived", Status: 409, Holds: "/problems/conflict"},
	{Name: "delete-room-unknown", Route: "DELETE /rooms/{room}", Path: "/rooms/nowhere", Status: 404, Holds: "/problems/not-found"},
	{Name: "post-room", Route: "POST /rooms", Body: `{"visibility":"private","name":"The board"}`, Status: 201, Holds: `"visibility":"private"`},
	{Name: "post-room-requested", Route: "POST /rooms", Body: `{"visibility":"private","name":"The board","requestId":"{{uuid}}"}`, Status: 201, Holds: `"visibility":"private"`},
	{Name: "post-room-requested", Status: 200, Holds: `"visibility":"private"`},
	{Name: "post-room-requested-conflict", Route: "POST /rooms", Body: `{"visibility":"private","name":"Another","requestId":"{{uuid}}"}`, Status: 409, Holds: `"location":"requestId"`},
	{Name: "post-room-invalid", Route: "POST /rooms", Body: `{"visibility":"public","name":"The board"}`, Status: 422, Holds: `"location":"visibility"`},
	{Name: "post-room-direct", Route: "POST /rooms", Body: `{"direct":["bob"]}`, Status: 201, Holds: `"direct":["amsg","bob"]`},
	{Name: "post-room-direct", Status: 200, Holds: `"kind":"direct"`},
	{Name: "post-room-direct-invalid", Route: "POST /rooms", Body: `{"direct":["bob","bob"]}`, Status: 422, Holds: `"location":"direct[1]"`},
}

var memberWrites = []Request{
	{Name: "put-member-join", Route: "PUT /rooms/{room}/members/{user}", Path: "/rooms/seattle/members/me", Body: `{"role":"member"}`, User: "bob", Status: 201, Holds: `"role":"member"`},
	{Name: "put-member-forbidden", Route: "PUT /rooms/{room}/members/{user}", Path: "/rooms/seattle/members/carl", Body: `{"role":"member"}`, User: "bob", Status: 403, Holds: "/problems/forbidden"},
	{Name: "put-member-strict", Route: "PUT /rooms/{room}/members/{user}", Path: "/rooms/seattle/members/b0b?strict=true", Body: `{"role":"member"}`, Status: 422, Holds: `"location":"user"`},
	{Name: "put-member-unknown-room", Route: "PUT /rooms/{room}/members/{user}", Path: "/rooms/nowhere/members/me", Body: `{"role":"member"}`, User: "bob", Status: 404, Holds: "/problems/not-found"},
	{Name: "delete-member-forbidden", Route: "DELETE /rooms/{room}/members/{user}", Path: "/rooms/seattle/members/amsg", User: "bob", Status: 403, Holds: "/problems/forbidden"},
	{Name: "delete-member-leave", Route: "DELETE /rooms/{room}/members/{user}", Path: "/rooms/seattle/members/me", User: "bob", Status: 204},
	{Name: "put-owner-stranger", Route: "PUT /rooms/{room}/owner", Path: "/rooms/seattle/owner", Body: `{"user":"nobody"}`, User: "bob", Status: 403, Holds: "/problems/forbidden"},
	{Name: "put-owner-unknown-room", Route: "PUT /rooms/{room}/owner", Path: "/rooms/unknown/owner", Body: `{"user":"nobody"}`, User: "bob", Status: 404, Holds: "/problems/not-found"},
	{Name: "put-member-promote-stranger", Route: "PUT /rooms/{room}/members/{user}", Path: "/rooms/seattle/members/nobody", Body: `{"role":"moderator"}`, Status: 409, Holds: `"location":"role"`},
	{Name: "post-invite", Route: "POST /rooms/{room}/invites", Path: "/rooms/seattle/invites", Body: `{"role":"member","maxUses":10}`, Status: 201, Holds: `"token":"`},
	{Name: "post-invite-forbidden", Route: "POST /rooms/{room}/invites", Path: "/rooms/seattle/invites", Body: "{}", User: "bob", Status: 403, Holds: "/problems/forbidden"},
	{Name: "post-invite-invalid", Route: "POST /rooms/{room}/invites", Path: "/rooms/seattle/invites", Body: `{"expires":"2017-09-05T12:00:00Z"}`, Status: 422, Holds: `"location":"expires"`},
	{Name: "use-invite", Route: "POST /invites/{token}", Path: "/invites/mfrggzdfmztwq2lkmfrggzdfmztwq2lk", User: "carl", Status: 201, Holds: `"role":"member"`},
	{Name: "use-invite", Status: 200, Holds: `"role":"member"`},
	{Name: "use-invite-unknown", Route: "POST /invites/{token}", Path: "/invites/unknown", User: "bob", Status: 404, Holds: "/problems/not-found"},
	{Name: "delete-invite", Route: "DELETE /rooms/{room}/invites/{invite}", Path: "/rooms/seattle/invites/ba3c564d554532509a122461d3145146", Status: 204},
	{Name: "use-invite", Status: 404, Holds: "/problems/not-found"},
	{Name: "post-incoming", Route: "POST /rooms/{room}/incoming", Path: "/rooms/seattle/incoming", Body: `{"name":"Alerts"}`, Status: 201, Holds: `"secret":"`},
	{Name: "post-incoming-forbidden", Route: "POST /rooms/{room}/incoming", Path: "/rooms/seattle/incoming", Body: `{"name":"Alerts"}`, User: "bob", Status: 403, Holds: "/problems/forbidden"},
	{Name: "post-incoming-invalid", Route: "POST /rooms/{room}/incoming", Path: "/rooms/seattle/incoming", Body: `{"name":""}`, Status: 422, Holds: `"location":"name"`},
	{Name: "post-incoming-secret", Route: "POST /rooms/{room}/incoming/{incoming}/secret", Path: "/rooms/seattle/incoming/" + IncomingID + "/secret", Status: 200, Holds: `"secret":"` + IncomingID},
	{Name: "post-incoming-secret-unknown", Route: "POST /rooms/{room}/incoming/{incoming}/secret", Path: "/rooms/seattle/incoming/00000000000000000000000000000000/secret", Status: 404, Holds: "/problems/not-found"},
	{Name: "delete-incoming", Route: "DELETE /rooms/{room}/incoming/{incoming}", Path: "/rooms/seattle/incoming/" + IncomingID, Status: 204},
	{Name: "delete-incoming-unknown", Route: "DELETE /rooms/{room}/incoming/{incoming}", Path: "/rooms/seattle/incoming/00000000000000000000000000000000", Status: 404, Holds: "/problems/not-found"},
	{Name: "delete-invite-unknown", Route: "DELETE /rooms/{room}/invites/{invite}", Path: "/rooms/seattle/invites/00000000000000000000000000000000", Status: 404, Holds: "/problems/not-found"},
}

var documentWrites = []Request{
	{Name: "put-document", Route: "PUT /rooms/{room}/documents/{doc}", Path: "/rooms/seattle/documents/charter", Body: `{"title":"The charter","write":"members"}`, Status: 201, Holds: `"write":"members"`},
	{Name: "patch-document", Route: "PATCH /rooms/{room}/documents/{doc}", Path: "/rooms/seattle/documents/charter", Body: `{"title":"The charter"}`, Status: 200, Holds: `"write":"members"`},
	{Name: "put-document-invalid", Route: "PUT /rooms/{room}/documents/{doc}", Path: "/rooms/seattle/documents/charter", Body: `{"read":"friends"}`, Status: 422, Holds: `"location":"read"`},
	{Name: "put-document-forbidden", Route: "PUT /rooms/{room}/documents/{doc}", Path: "/rooms/seattle/documents/charter", Body: `{"title":"Mine"}`, User: "eve", Status: 403, Holds: "/problems/forbidden"},
	{Name: "put-part", Route: "PUT /rooms/{room}/documents/{doc}/parts/{part}", Path: "/rooms/seattle/documents/charter/parts/preamble", Body: `{"text":"We, the people"}`, Status: 201, Holds: `"version":1`},
	{Name: "put-part-next", Route: "PUT /rooms/{room}/documents/{doc}/parts/{part}", Path: "/rooms/seattle/documents/charter/parts/preamble", Body: `{"text":"We, the rain"}`, Header: map[string]string{"if-match": `"1"`}, Status: 200, Holds: `"version":2`},
	{Name: "put-part-stale", Route: "PUT /rooms/{room}/documents/{doc}/parts/{part}", Path: "/rooms/seattle/documents/charter/parts/preamble", Body: `{"text":"other"}`, Header: map[string]string{"if-match": `"1"`}, Status: 412, Holds: "/problems/stale"},
	{Name: "put-part-no-etag", Route: "PUT /rooms/{room}/documents/{doc}/parts/{part}", Path: "/rooms/seattle/documents/charter/parts/preamble", Body: `{"text":"other"}`, Status: 428, Holds: "/problems/precondition-required"},
	{Name: "put-part-forbidden", Route: "PUT /rooms/{room}/documents/{doc}/parts/{part}", Path: "/rooms/seattle/documents/charter/parts/preamble", Body: `{"text":"other"}`, User: "eve", Header: map[string]string{"if-match": `"2"`}, Status: 403, Holds: "/problems/forbidden"},
	{Name: "put-part-unknown-room", Route: "PUT /rooms/{room}/documents/{doc}/parts/{part}", Path: "/rooms/nowhere/documents/charter/parts/preamble", Body: `{"text":"x"}`, Status: 404, Holds: "/problems/not-found"},
}

var peopleWrites = []Request{
	{Name: "put-block", Route: "PUT /people/me/blocks/{user}", Path: "/people/me/blocks/bob", Status: 204},
	{Name: "put-block-oneself", Route: "PUT /people/me/blocks/{user}", Path: "/people/me/blocks/me", Status: 422, Holds: `"location":"user"`},
	{Name: "delete-block", Route: "DELETE /people/me/blocks/{user}", Path: "/people/me/blocks/carl", Status: 204},
	{Name: "put-person-by-id", Route: "PUT /people/{user}", Path: "/people/mallory", Body: `{"name":"Mallory Price","title":"Clerk"}`, Claims: helpdesk, Status: 201, Holds: `"user":"mallory","name":"Mallory Price"`},
	{Name: "put-person-by-id", Status: 200, Holds: `"title":"Clerk"`},
	{Name: "put-person-by-id-forbidden", Route: "PUT /people/{user}", Path: "/people/bob", Body: `{"name":"Bob"}`, Status: 403, Holds: "/problems/forbidden"},
	{Name: "post-people", Route: "POST /bulk/people", Body: `{"items":[{"user":"trudy","name":"Trudy","kind":"bot"},{"user":"no one","name":"x"}]}`, Claims: helpdesk, Status: 200, Holds: `{"items":[{"user":"trudy","status":201},{"user":"no one","status":422,"problem":{`},
	{Name: "post-people-changed", Route: "POST /bulk/people", Body: `{"items":[{"user":"trudy","name":"Trudy","kind":"bot","title":"Helps at the desk"}]}`, Claims: helpdesk, Status: 200, Holds: `{"items":[{"user":"trudy","status":200}]}`},
	{Name: "post-people-forbidden", Route: "POST /bulk/people", Body: `{"items":[{"user":"trudy","name":"Trudy"}]}`, Status: 403, Holds: "/problems/forbidden"},
	{Name: "post-people-malformed", Route: "POST /bulk/people", Body: `{"items":[{"user":"trudy"`, Claims: helpdesk, Status: 400, Holds: "/problems/malformed"},
	{Name: "post-rooms", Route: "POST /bulk/rooms", Body: `{"items":[{"id":"depot","topic":"parcels"}]}`, Claims: helpdesk, Status: 200, Holds: `{"items":[{"id":"depot","status":201}]}`},
	{Name: "post-memberships", Route: "POST /bulk/memberships", Body: `{"items":[{"room":"depot","user":"trudy","role":"moderator"}],"strict":true}`, Claims: helpdesk, Status: 200, Holds: `{"items":[{"room":"depot","user":"trudy","status":201}]}`},
	{Name: "post-memberships", Status: 200, Holds: `"status":200`},
	{Name: "put-suspension", Route: "PUT /people/{user}/suspension", Path: "/people/mallory/suspension", Body: `{"reason":"spam"}`, Claims: helpdesk, Status: 200, Holds: `"by":"helpdesk","reason":"spam"`},
	{Name: "put-suspension", Status: 200, Holds: `"by":"helpdesk","reason":"spam"`},
	{Name: "put-suspension-forbidden", Route: "PUT /people/{user}/suspension", Path: "/people/bob/suspension", Body: "{}", Status: 403, Holds: "/problems/forbidden"},
	{Name: "put-suspension-invalid", Route: "PUT /people/{user}/suspension", Path: "/people/mallory/suspension", Body: `{"reason":"two\nlines"}`, Claims: helpdesk, Status: 422, Holds: `"location":"reason"`},
	{Name: "delete-suspension", Route: "DELETE /people/{user}/suspension", Path: "/people/mallory/suspension", Claims: helpdesk, Status: 204},
	{Name: "put-suspension-of-another", Route: "PUT /people/{user}/suspension", Path: "/people/eve/suspension", Body: `{"reason":"a stolen token"}`, Claims: helpdesk, Status: 200, Holds: `"user":"eve"`},
	{Name: "put-hook", Route: "PUT /hooks/{hook}", Path: "/hooks/moderator", Body: `{"rooms":["seattle","depot"]}`, Claims: helpdesk, Status: 201, Holds: `"id":"moderator","rooms":["depot","seattle"]`},
	{Name: "put-hook-all", Route: "PUT /hooks/{hook}", Path: "/hooks/moderator", Body: "{}", Claims: helpdesk, Status: 200, Holds: `"id":"moderator","enabled":true,"createdAt":"`},
	{Name: "put-hook-forbidden", Route: "PUT /hooks/{hook}", Path: "/hooks/moderator", Body: "{}", Status: 403, Holds: "/problems/forbidden"},
	{Name: "put-hook-invalid", Route: "PUT /hooks/{hook}", Path: "/hooks/moderator", Body: `{"rooms":["No room"]}`, Claims: helpdesk, Status: 422, Holds: `"location":"rooms"`},
	{Name: "replay-hook", Route: "POST /hooks/{hook}/replay", Path: "/hooks/moderator/replay", Body: `{"from":"2018-08-29T00:00:00Z"}`, Claims: helpdesk, Status: 204},
	{Name: "replay-hook-future", Route: "POST /hooks/{hook}/replay", Path: "/hooks/moderator/replay", Body: `{"from":"2999-08-29T12:00:00Z"}`, Claims: helpdesk, Status: 422, Holds: `"location":"from"`},
	{Name: "put-hook-url", Route: "PUT /hooks/{hook}", Path: "/hooks/sent", Body: `{"url":"https://example.com/parley"}`, Claims: helpdesk, Status: 201, Holds: `"secret":"whsec_`},
	{Name: "put-hook-url-again", Route: "PUT /hooks/{hook}", Path: "/hooks/sent", Body: `{"url":"https://example.com/parley","enabled":false}`, Claims: helpdesk, Status: 200, Holds: `"enabled":false`},
	{Name: "put-hook-url-private", Route: "PUT /hooks/{hook}", Path: "/hooks/sent", Body: `{"url":"https://10.0.0.1/"}`, Claims: helpdesk, Status: 422, Holds: `"location":"url"`},
	{Name: "put-hook-url-fetched", Route: "PUT /hooks/{hook}", Path: "/hooks/moderator", Body: `{"url":"https://example.com/parley"}`, Claims: helpdesk, Status: 409, Holds: "/problems/conflict"},
	{Name: "test-hook", Route: "POST /hooks/{hook}/test", Path: "/hooks/sent/test", Claims: helpdesk, Status: 204},
	{Name: "test-hook-fetched", Route: "POST /hooks/{hook}/test", Path: "/hooks/moderator/test", Claims: helpdesk, Status: 409, Holds: "/problems/conflict"},
	{Name: "replace-hook-secret", Route: "POST /hooks/{hook}/secret", Path: "/hooks/sent/secret", Claims: helpdesk, Status: 200, Holds: `"secret":"whsec_`},
	{Name: "replay-hook-url", Route: "POST /hooks/{hook}/replay", Path: "/hooks/sent/replay", Body: `{"from":"2018-08-29T00:00:00Z"}`, Claims: helpdesk, Status: 204},
	{Name: "delete-hook", Route: "DELETE /hooks/{hook}", Path: "/hooks/another", Claims: helpdesk, Status: 404, Holds: "/problems/not-found"},
	{Name: "put-hook-short-lived", Route: "PUT /hooks/{hook}", Path: "/hooks/short-lived", Body: "{}", Claims: helpdesk, Status: 201, Holds: `"id":"short-lived"`},
	{Name: "delete-hook-short-lived", Route: "DELETE /hooks/{hook}", Path: "/hooks/short-lived", Claims: helpdesk, Status: 204},
	{Name: "delete-person", Route: "DELETE /people/{user}", Path: "/people/trudy", Claims: helpdesk, Status: 202},
	{Name: "delete-person", Status: 202},
	{Name: "delete-person-forbidden", Route: "DELETE /people/{user}", Path: "/people/bob", Status: 403, Holds: "/problems/forbidden"},
	{Name: "delete-suspension-deleted", Route: "DELETE /people/{user}/suspension", Path: "/people/trudy/suspension", Claims: helpdesk, Status: 409, Holds: "/problems/conflict"},
	{Name: "put-block-suspended", Route: "PUT /people/me/blocks/{user}", Path: "/people/me/blocks/bob", User: "eve", Status: 403, Holds: "/problems/suspended"},
	{Name: "put-person", Route: "PUT /people/me", Body: `{"name":"Rhianna Cohen","title":"System Architect","state":"CA","hired":"1995-07-01"}`, User: "e129", Status: 201, Holds: `"hired":"1995-07-01"`},
	{Name: "put-person", Status: 200, Holds: `"title":"System Architect"`},
	{Name: "patch-person", Route: "PATCH /people/me", Body: `{"title":"Director of Technology"}`, User: "e129", Status: 200, Holds: `"previousTitles":["System Architect"]`},
	{Name: "post-picture", Route: "POST /people/me/picture", Body: portrait, User: "e129", Status: 200, Holds: `"content-type":"image/webp"`},
	{Name: "post-picture-invalid", Route: "POST /people/me/picture", Body: `{"type":"image/svg+xml","bytes":5,"sha256":"LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="}`, User: "e129", Status: 422, Holds: `"location":"type"`},
	{Name: "patch-person-stale", Route: "PATCH /people/me", Body: `{"title":"Too late"}`, User: "e129", Header: map[string]string{"if-match": `"1-47DEQpj8HBSa-_TI"`}, Status: 412, Holds: "/problems/stale"},
	{Name: "patch-person-picture", Route: "PATCH /people/me", Body: `{"picture":"LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="}`, User: "e129", Status: 200, Holds: `"picture":"LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="`},
	{Name: "patch-person-no-picture", Route: "PATCH /people/me", Body: `{"picture":""}`, User: "e129", Status: 200, Holds: `"state":"CA","hired":"1995-07-01"}`},
	{Name: "patch-person-unsent-picture", Route: "PATCH /people/me", Body: `{"picture":"LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="}`, User: "e129", Status: 422, Holds: `"location":"picture"`},
	{Name: "put-person-another", Route: "PUT /people/me", Body: `{"name":"Amsel Gruber","state":"CA"}`, Status: 201, Holds: `{"user":"amsg","name":"Amsel Gruber","skeleton":"arnsel gruber","kind":"person","state":"CA"}`},
	{Name: "put-person-metadata", Route: "PUT /people/me", Body: `{"name":"Amsel Gruber","state":"CA","metadata":{"desk":"4-17"}}`, Status: 200, Holds: `"metadata":{"desk":"4-17"}`},
	{Name: "put-person-bot", Route: "PUT /people/me", Body: `{"name":"Amsel Gruber","kind":"bot"}`, Status: 403, Holds: "/problems/forbidden"},
	{Name: "put-person-malformed", Route: "PUT /people/me", Body: `{"name":"Rhianna Cohen"`, User: "e129", Status: 400, Holds: "/problems/malformed"},
	{Name: "put-person-invalid", Route: "PUT /people/me", Body: `{"name":"Rhianna Cohen","title":"C# developer"}`, User: "e129", Status: 422, Holds: `"location":"title"`},
	{Name: "put-person-no-token", Route: "PUT /people/me", Body: `{"name":"Rhianna Cohen"}`, NoToken: true, Status: 401, Holds: "/problems/unauthorized"},
}

var activityWrites = []Request{
	{Name: "post-events", Route: "POST /devices/{device}/events", Path: "/devices/phone/events", Body: `{"events":[{"type":"connection","id":"{{uuid}}","detail":"back on wifi"}]}`, Status: 200, Holds: `"detail":"back on wifi"`},
	{Name: "post-events", Status: 200, Holds: `"type":"connection"`},
	{Name: "post-events-conflict", Route: "POST /devices/{device}/events", Path: "/devices/phone/events", Body: `{"events":[{"type":"error","id":"{{uuid}}"}]}`, Status: 409, Holds: "/problems/conflict"},
	{Name: "post-events-invalid", Route: "POST /devices/{device}/events", Path: "/devices/phone/events", Body: `{"events":[{"type":"connection"}]}`, Status: 422, Holds: `"location":"events[0].at"`},
	{Name: "post-events-too-old", Route: "POST /devices/{device}/events", Path: "/devices/phone/events", Body: `{"events":[{"type":"connection","at":"2018-08-29T12:00:00Z"}]}`, Status: 422, Holds: `"location":"events[0].at"`},
	{Name: "unknown-method", Route: "DELETE /{proxy+}", Path: "/rooms/seattle/messages", Status: 405, Holds: "/problems/method-not-allowed"},
}
