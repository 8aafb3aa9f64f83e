package requests

import (
	"strings"
)

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

var messageWrites = []Request{
	{Name: "post-message", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"hello"}`, Status: 201, Holds: `"text":"hello"`},
	{Name: "post-message-base64", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Base64: true, Body: `{"text":"hello ☃"}`, Status: 201, Holds: `"text":"hello ☃"`},
	{Name: "post-message-replay", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"id":"{{uuid}}","text":"once"}`, Status: 201, Holds: `"text":"once"`},
	{Name: "post-message-replay", Status: 200, Holds: `"text":"once"`},
	{Name: "post-message-metadata", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"with notes","metadata":{ "size":1.50, "tags":["a",null] }}`, Status: 201, Holds: `"metadata":{"size":1.50,"tags":["a",null]}`},
	{Name: "post-message-metadata-invalid", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"hello","metadata":[1]}`, Status: 422, Holds: `"location":"metadata"`},
	{Name: "post-message-quote", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"quite so","quote":"{{message}}"}`, Status: 201, Holds: `"user":"amsg","text":"old 2"}}`},
	{Name: "post-message-quote-unknown", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"quite so","quote":"01890a5d-ac96-774b-bcce-b302099a8057~bob"}`, Status: 422, Holds: `"location":"quote"`},
	{Name: "post-message-conflict", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"id":"{{uuid}}","text":"something else"}`, Status: 409, Holds: "/problems/conflict"},
	{Name: "post-message-clock-skew", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"id":"0165858d-fe7b-7102-8304-05060708090a","text":"long ago"}`, Status: 409, Holds: "/problems/clock-skew"},
	{Name: "post-message-malformed", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"hello","text":"hello"}`, Status: 400, Holds: "/problems/malformed"},
	{Name: "post-message-invalid", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"hello","user":"bob"}`, Status: 422, Holds: `"location":"user"`},
	{Name: "post-message-unknown-room", Route: "POST /rooms/{room}/messages", Path: "/rooms/nowhere/messages", Body: `{"text":"hello"}`, Status: 404, Holds: "/problems/not-found"},
	{Name: "post-message-mentions", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"hello @bob","mentions":["bob"],"mentionRoom":true}`, Status: 201, Holds: `"mentions":["bob"],"mentionRoom":true`},
	{Name: "post-message-mentions-repeated", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"hello","mentions":["bob","bob"]}`, Status: 422, Holds: `"location":"mentions[1]"`},
	{Name: "post-reply", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"a reply","thread":"{{message}}"}`, Status: 201, Holds: `"thread":"`},
	{Name: "post-reply-unknown", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"a reply","thread":"0165858d-fe7b-7fff-8000-000000000000~amsg"}`, Status: 422, Holds: `"location":"thread"`},
	{Name: "post-message-no-token", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"hello"}`, NoToken: true, Status: 401, Holds: "/problems/unauthorized"},
	{Name: "post-message-id-token", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"hello"}`, Claims: map[string]any{"sub": "amsg", "token_use": "id", "aud": "example"}, Status: 401, Holds: "/problems/unauthorized"},
	{Name: "post-report", Route: "POST /rooms/{room}/messages/{id}/reports", Path: "/rooms/seattle/messages/{{message}}/reports", Body: `{"reason":"spam"}`, User: "bob", Status: 201, Holds: `"reason":"spam"`},
	{Name: "post-report", Status: 200, Holds: `"reason":"spam"`},
	{Name: "patch-report-forbidden", Route: "PATCH /rooms/{room}/reports/{report}", Path: "/rooms/seattle/reports/{{message}}~bob", Body: `{"resolved":true}`, User: "bob", Status: 403, Holds: "/problems/forbidden"},
	{Name: "patch-report", Route: "PATCH /rooms/{room}/reports/{report}", Path: "/rooms/seattle/reports/{{message}}~bob", Body: `{"resolved":true}`, Status: 200, Holds: `"resolvedBy":"amsg"`},
	{Name: "post-message-act-as", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"on behalf of bob"}`, Claims: program, Header: map[string]string{"parley-act-as": "bob"}, Status: 201, Holds: `"user":"bob","text":"on behalf of bob"`},
	{Name: "post-message-act-as-scopes-as-list", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"on behalf of bob"}`, Claims: map[string]any{"sub": "helpdesk", "token_use": "access", "client_id": "helpdesk", "scp": "[openid parley/act-as]"}, Header: map[string]string{"parley-act-as": "bob"}, Status: 201, Holds: `"via":"helpdesk"`},
	{Name: "post-message-act-as-forbidden", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"hello"}`, Claims: map[string]any{"sub": "amsg", "token_use": "access", "client_id": "example", "scope": "openid email"}, Header: map[string]string{"parley-act-as": "bob"}, Status: 403, Holds: `"location":"Parley-Act-As"`},
	{Name: "post-message-act-as-invalid", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"on behalf of bob"}`, Claims: program, Header: map[string]string{"parley-act-as": "bob,eve"}, Status: 422, Holds: `"location":"Parley-Act-As"`},
}

var feedWrites = []Request{
	{Name: "put-read", Route: "PUT /rooms/{room}/read", Path: "/rooms/seattle/read", Body: `{"seq":2}`, Status: 200, Holds: `{"room":"seattle","seq":2,"unread":0,"mentions":0}`},
	{Name: "put-read-back", Route: "PUT /rooms/{room}/read", Path: "/rooms/seattle/read", Body: `{"seq":1}`, Status: 200, Holds: `"seq":2`},
	{Name: "put-read-beyond", Route: "PUT /rooms/{room}/read", Path: "/rooms/seattle/read", Body: `{"seq":99}`, Status: 422, Holds: `"location":"seq"`},
	{Name: "put-read-malformed", Route: "PUT /rooms/{room}/read", Path: "/rooms/seattle/read", Body: `{"seq":`, Status: 400, Holds: "/problems/malformed"},
	{Name: "put-read-unknown-room", Route: "PUT /rooms/{room}/read", Path: "/rooms/nowhere/read", Body: `{"seq":1}`, Status: 404, Holds: "/problems/not-found"},
	{Name: "put-read-message", Route: "PUT /rooms/{room}/read", Path: "/rooms/seattle/read", Body: `{"message":"{{message}}"}`, Status: 200, Holds: `"seq":3`},
	{Name: "put-read-unread-from", Route: "PUT /rooms/{room}/read", Path: "/rooms/seattle/read", Body: `{"unreadFrom":"{{message}}"}`, Status: 200, Holds: `{"room":"seattle","seq":2,"unread":0,"mentions":0}`},
	{Name: "put-read-expired", Route: "PUT /rooms/{room}/read", Path: "/rooms/seattle/read", Body: `{"unreadFrom":"{{noted}}"}`, Status: 422, Holds: `"location":"unreadFrom"`},
	{Name: "put-read-ambiguous", Route: "PUT /rooms/{room}/read", Path: "/rooms/seattle/read", Body: `{"message":"{{message}}","seq":2}`, Status: 422, Holds: `"location":"message"`},
	{Name: "put-read-unknown-message", Route: "PUT /rooms/{room}/read", Path: "/rooms/seattle/read", Body: `{"message":"0165858d-fe7b-7102-8304-05060708090a~nobody"}`, Status: 404, Holds: "/problems/not-found"},
	{Name: "put-follow", Route: "PUT /rooms/{room}/messages/{id}/follow", Path: "/rooms/seattle/messages/{{message}}/follow", Status: 204},
	{Name: "put-follow-unknown", Route: "PUT /rooms/{room}/messages/{id}/follow", Path: "/rooms/seattle/messages/0165858d-fe7b-7fff-8000-000000000000~amsg/follow", Status: 404, Holds: "/problems/not-found"},
	{Name: "delete-follow", Route: "DELETE /rooms/{room}/messages/{id}/follow", Path: "/rooms/seattle/messages/{{edited}}/follow", Status: 204},
	{Name: "put-thread-read", Route: "PUT /rooms/{room}/messages/{id}/read", Path: "/rooms/seattle/messages/{{message}}/read", Body: `{"seq":2}`, Status: 200, Holds: `"seq":3,"unread":0`},
	{Name: "put-thread-read-beyond", Route: "PUT /rooms/{room}/messages/{id}/read", Path: "/rooms/seattle/messages/{{message}}/read", Body: `{"seq":2000}`, Status: 422, Holds: `"location":"seq"`},
	{Name: "put-thread-read-unknown-room", Route: "PUT /rooms/{room}/messages/{id}/read", Path: "/rooms/nowhere/messages/{{message}}/read", Body: `{"seq":2}`, Status: 404, Holds: "/problems/not-found"},
}

var revisionWrites = []Request{
	{Name: "patch-message", Route: "PATCH /rooms/{room}/messages/{id}", Path: "/rooms/seattle/messages/{{edited}}", Body: `{"text":"said better"}`, Header: map[string]string{"if-match": `"1"`}, Status: 200, Holds: `"text":"said better"`},
	{Name: "patch-message-metadata", Route: "PATCH /rooms/{room}/messages/{id}", Path: "/rooms/seattle/messages/{{noted}}", Body: `{"text":"with notes","metadata":{"notes":2}}`, Status: 200, Holds: `"text":"with notes","metadata":{"notes":2}`},
	{Name: "patch-message-stale", Route: "PATCH /rooms/{room}/messages/{id}", Path: "/rooms/seattle/messages/{{edited}}", Body: `{"text":"too late"}`, Header: map[string]string{"if-match": `"1"`}, Status: 412, Holds: "/problems/stale"},
	{Name: "patch-message-no-etag", Route: "PATCH /rooms/{room}/messages/{id}", Path: "/rooms/seattle/messages/{{edited}}", Body: `{"text":"said better"}`, Status: 200, Holds: `"revision":2`},
	{Name: "patch-message-invalid", Route: "PATCH /rooms/{room}/messages/{id}", Path: "/rooms/seattle/messages/{{edited}}", Body: `{"text":""}`, Header: map[string]string{"if-match": `"2"`}, Status: 422, Holds: `"location":"text"`},
	{Name: "patch-message-another", Route: "PATCH /rooms/{room}/messages/{id}", Path: "/rooms/seattle/messages/{{edited}}", Body: `{"text":"I never"}`, User: "e129", Header: map[string]string{"if-match": `"2"`}, Status: 403, Holds: "/problems/forbidden"},
	{Name: "delete-message-forbidden", Route: "DELETE /rooms/{room}/messages/{id}", Path: "/rooms/seattle/messages/{{deleted}}", User: "e129", Header: map[string]string{"if-match": "*"}, Status: 403, Holds: "/problems/forbidden"},
	{Name: "delete-message-stale", Route: "DELETE /rooms/{room}/messages/{id}", Path: "/rooms/seattle/messages/{{deleted}}", Header: map[string]string{"if-match": `"7"`}, Status: 412, Holds: "/problems/stale"},
	{Name: "delete-message", Route: "DELETE /rooms/{room}/messages/{id}", Path: "/rooms/seattle/messages/{{deleted}}", Header: map[string]string{"if-match": `"1"`}, Status: 200, Holds: `"deletedBy":"amsg"`},
	{Name: "delete-message", Status: 200, Holds: `"revision":2`},
	{Name: "delete-message-no-etag", Route: "DELETE /rooms/{room}/messages/{id}", Path: "/rooms/seattle/messages/{{deleted}}", Status: 200, Holds: `"revision":2`},
	{Name: "delete-message-unknown", Route: "DELETE /rooms/{room}/messages/{id}", Path: "/rooms/seattle/messages/0165858d-fe7b-7fff-8000-000000000000~amsg", Header: map[string]string{"if-match": "*"}, Status: 404, Holds: "/problems/not-found"},
	{Name: "patch-message-deleted", Route: "PATCH /rooms/{room}/messages/{id}", Path: "/rooms/seattle/messages/{{deleted}}", Body: `{"text":"back"}`, Header: map[string]string{"if-match": `"2"`}, Status: 409, Holds: "/problems/conflict"},
	{Name: "put-pin", Route: "PUT /rooms/{room}/messages/{id}/pin", Path: "/rooms/seattle/messages/{{message}}/pin", Status: 204},
	{Name: "put-pin", Status: 204},
	{Name: "put-pin-forbidden", Route: "PUT /rooms/{room}/messages/{id}/pin", Path: "/rooms/seattle/messages/{{message}}/pin", User: "bob", Status: 403, Holds: "/problems/forbidden"},
	{Name: "put-pin-unknown", Route: "PUT /rooms/{room}/messages/{id}/pin", Path: "/rooms/seattle/messages/01890a5d-ac96-774b-bcce-b302099a8057~bob/pin", Status: 404, Holds: "/problems/not-found"},
	{Name: "put-pin-deleted", Route: "PUT /rooms/{room}/messages/{id}/pin", Path: "/rooms/seattle/messages/{{deleted}}/pin", Status: 409, Holds: "/problems/conflict"},
	{Name: "delete-pin", Route: "DELETE /rooms/{room}/messages/{id}/pin", Path: "/rooms/seattle/messages/{{edited}}/pin", Status: 204},
	{Name: "put-preferences", Route: "PUT /people/{user}/rooms/{room}", Path: "/people/me/rooms/seattle", Body: `{"favorite":true,"muted":true}`, Status: 200, Holds: `{"favorite":true,"muted":true,"level":"mentions"}`},
	{Name: "put-preferences-replace", Route: "PUT /people/{user}/rooms/{room}", Path: "/people/me/rooms/seattle", Body: `{"favorite":true}`, Status: 200, Holds: `{"favorite":true,"muted":false}`},
	{Name: "put-preferences-unknown-room", Route: "PUT /people/{user}/rooms/{room}", Path: "/people/me/rooms/nowhere", Body: `{}`, Status: 404, Holds: "/problems/not-found"},
	{Name: "put-preferences-of-another", Route: "PUT /people/{user}/rooms/{room}", Path: "/people/bob/rooms/seattle", Body: `{}`, Status: 403, Holds: "/problems/forbidden"},
	{Name: "patch-notifications", Route: "PATCH /people/me/notifications", Body: `{"level":"direct","quiet":{"zone":"Europe/Berlin","from":"22:00","to":"07:00","days":[1,2,3,4,5]},"mentionsAlways":true}`, Status: 200, Holds: `"days":[1,2,3,4,5]`},
	{Name: "patch-notifications-unknown-zone", Route: "PATCH /people/me/notifications", Body: `{"quiet":{"zone":"Europe/Nowhere","from":"22:00","to":"07:00"}}`, Status: 422, Holds: "quiet.zone"},
	{Name: "put-saved", Route: "PUT /people/me/saved/{room}/{id}", Path: "/people/me/saved/seattle/{{message}}", Status: 204},
	{Name: "put-saved", Status: 204},
	{Name: "put-saved-unknown-room", Route: "PUT /people/me/saved/{room}/{id}", Path: "/people/me/saved/nowhere/{{message}}", Status: 404, Holds: "/problems/not-found"},
	{Name: "put-saved-deleted", Route: "PUT /people/me/saved/{room}/{id}", Path: "/people/me/saved/seattle/{{deleted}}", Status: 409, Holds: "/problems/conflict"},
	{Name: "delete-saved", Route: "DELETE /people/me/saved/{room}/{id}", Path: "/people/me/saved/seattle/{{edited}}", Status: 204},
	{Name: "post-reply-deleted", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"a reply","thread":"{{deleted}}"}`, Status: 409, Holds: "/problems/conflict"},
}

// The id is {{upload}}, and the bytes are "hello".
const plan = `{"id":"{{upload}}","name":"plan.png","type":"image/png","bytes":5,"sha256":"LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=","width":1280,"height":720,"alt":"The plan"}`

// The bytes of a person's picture are "hello", too.
const portrait = `{"type":"image/webp","bytes":5,"sha256":"LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="}`

var fileWrites = []Request{
	{Name: "post-upload", Route: "POST /rooms/{room}/uploads", Path: "/rooms/seattle/uploads", Body: plan, Status: 201, Holds: `"if-none-match":"*"`},
	{Name: "post-upload", Status: 200, Holds: `"id":"`},
	{Name: "post-upload-invalid", Route: "POST /rooms/{room}/uploads", Path: "/rooms/seattle/uploads", Body: strings.Replace(plan, `"bytes":5`, `"bytes":0`, 1), Status: 422, Holds: `"location":"bytes"`},
	{Name: "post-upload-conflict", Route: "POST /rooms/{room}/uploads", Path: "/rooms/seattle/uploads", Body: strings.Replace(plan, "plan.png", "map.png", 1), Status: 409, Holds: "/problems/conflict"},
	{Name: "post-upload-unknown-room", Route: "POST /rooms/{room}/uploads", Path: "/rooms/nowhere/uploads", Body: plan, Status: 404, Holds: "/problems/not-found"},
	{Name: "post-message-files", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"id":"{{filed}}","text":"","attachments":["{{upload}}"]}`, Status: 201, Holds: `"attachments":[{"id":"`},
	{Name: "post-message-files", Status: 200, Holds: `"name":"plan.png","type":"image/png","bytes":5,"width":1280,"height":720,"alt":"The plan"}]`},
	{Name: "post-message-files-taken", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"","attachments":["{{upload}}"]}`, Status: 422, Holds: `"location":"attachments[0]"`},
}

var reactionWrites = []Request{
	{Name: "put-reaction", Route: "PUT /rooms/{room}/messages/{id}/reactions/{emoji}", Path: "/rooms/seattle/messages/{{message}}/reactions/👍", Status: 200, Holds: `"items":[`},
	{Name: "put-reaction", Status: 200, Holds: `"items":[`},
	{Name: "put-reaction-custom", Route: "PUT /rooms/{room}/messages/{id}/reactions/{emoji}", Path: "/rooms/seattle/messages/{{message}}/reactions/:party:", Status: 422, Holds: `"location":"emoji"`},
	{Name: "put-reaction-deleted", Route: "PUT /rooms/{room}/messages/{id}/reactions/{emoji}", Path: "/rooms/seattle/messages/{{deleted}}/reactions/👍", Status: 409, Holds: "/problems/conflict"},
	{Name: "post-poll", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"When?","poll":{"options":["Tuesday","Wednesday"],"anonymous":true}}`, Status: 201, Holds: `"poll":{"options":[{"text":"Tuesday","votes":0},{"text":"Wednesday","votes":0}],"voters":0,"anonymous":true}`},
	{Name: "post-poll-far", Route: "POST /rooms/{room}/messages", Path: "/rooms/seattle/messages", Body: `{"text":"When?","poll":{"options":["Tuesday","Wednesday"],"endsAt":"2100-01-01T00:00:00Z"}}`, Status: 422, Holds: `"location":"poll.endsAt"`},
	{Name: "put-vote", Route: "PUT /rooms/{room}/messages/{id}/vote", Path: "/rooms/seattle/messages/{{poll}}/vote", Body: `{"choices":[1]}`, Status: 204},
	{Name: "put-vote-invalid", Route: "PUT /rooms/{room}/messages/{id}/vote", Path: "/rooms/seattle/messages/{{poll}}/vote", Body: `{"choices":[0,1]}`, Status: 422, Holds: `"location":"choices"`},
	{Name: "put-vote-no-poll", Route: "PUT /rooms/{room}/messages/{id}/vote", Path: "/rooms/seattle/messages/{{message}}/vote", Body: `{"choices":[1]}`, Status: 404, Holds: "/problems/not-found"},
	{Name: "delete-vote", Route: "DELETE /rooms/{room}/messages/{id}/vote", Path: "/rooms/seattle/messages/{{poll}}/vote", Status: 204},
	{Name: "put-vote", Status: 204},
	{Name: "delete-reaction", Route: "DELETE /rooms/{room}/messages/{id}/reactions/{emoji}", Path: "/rooms/seattle/messages/{{message}}/reactions/👍", Status: 200, Holds: `"items":[`},
	{Name: "put-reaction", Status: 200, Holds: `"items":[`},
}
