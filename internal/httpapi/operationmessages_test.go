package httpapi_test

var messageOperations = []operationRequests{
	{
		route: "GET /rooms/{room}/changes",
		roles: []row{{}},
		faults: []faultSample{
			{name: "from the beginning", caller: "guest", first: 200},
			{name: "the newest", path: "/rooms/seattle/changes?since=AxZPuEFeRPfFBggEZw", caller: "member", first: 200},
		},
	},
	{
		route:     "PUT /rooms/{room}/read",
		unaudited: "concerns only the caller",
		roles: []row{
			{body: `{"seq":0}`},
			{what: "a message", body: `{"message":"{id}"}`},
			{what: "unread from", body: `{"unreadFrom":"{id}"}`},
		},
		faults: []faultSample{
			{name: "first", body: `{"seq":2}`, caller: "member", first: 200, look: "/people/me/rooms"},
			{name: "further", body: `{"seq":5}`, caller: "moderator", first: 200, look: "/people/me/rooms"},
			{name: "back", body: `{"seq":1}`, caller: "moderator", first: 200, look: "/people/me/rooms"},
			{name: "a message", body: `{"message":"{sent}~owner"}`, caller: "member", first: 200, look: "/people/me/rooms"},
			{name: "a message between marker and receipt", body: `{"message":"{sent}~member"}`, caller: "muted", first: 200, look: "/people/me/rooms"},
			{name: "unread from", body: `{"unreadFrom":"{sent}~member"}`, caller: "moderator", first: 200, look: "/people/me/rooms"},
			{name: "unread from beyond the feed", body: `{"unreadFrom":"{old}~member"}`, caller: "moderator", first: 422, look: "/people/me/rooms"},
			{name: "unread from an unknown message", body: `{"unreadFrom":"{fresh}~member"}`, caller: "moderator", first: 404, look: "/people/me/rooms"},
		},
	},
	{
		route:     "POST /rooms/{room}/messages",
		unaudited: "the message names its sender, its service and its time",
		roles: []row{
			{body: `{"text":"x"}`},
			{what: "mention everyone", body: `{"text":"x","mentionRoom":true,"mentions":["eve"]}`},
			{what: "a reply", body: `{"text":"x","thread":"{id}"}`},
			{what: "with a file of the owner", body: `{"text":"","attachments":["{loose}"]}`},
		},
		faults: []faultSample{
			{name: "with an id", body: `{"id":"{fresh}","text":"x","metadata":{"a":1.50}}`, caller: "member", first: 201, again: 200, look: "/rooms/seattle/messages"},
			{name: "with mentions", body: `{"id":"{fresh}","text":"x","mentions":["guest","nobody"],"mentionRoom":true}`, caller: "owner", first: 201, again: 200, look: "/rooms/seattle/messages"},
			{name: "mention everyone without the right", body: `{"id":"{fresh}","text":"x","mentionRoom":true}`, caller: "member", first: 403},
			{name: "with a quote", body: `{"id":"{fresh}","text":"x","quote":"{sent}~owner"}`, caller: "member", first: 201, again: 200, look: "/rooms/seattle/messages"},
			{name: "a retry", body: `{"id":"{sent}","text":"x"}`, caller: "member", first: 200, look: "/rooms/seattle/messages"},
			{name: "an old retry", body: `{"id":"{old}","text":"from an offline queue"}`, caller: "member", first: 200, look: "/rooms/seattle/messages"},
			{name: "in slow mode", path: "/rooms/slow/messages", body: `{"id":"{fresh}","text":"x"}`, caller: "member", first: 201, again: 200, look: "/rooms/slow/messages"},
			{name: "without an id", body: `{"text":"x"}`, caller: "member", first: 201, unsafe: "without the client's id nothing tells a retry from another message"},
			{name: "a poll", body: `{"id":"{fresh}","text":"x?","poll":{"options":["a","b"],"multiple":true}}`, caller: "member", first: 201, again: 200, look: "/rooms/seattle/messages"},
			{name: "with a file", body: `{"id":"{fresh}","text":"","attachments":["{loose}"]}`, caller: "member", first: 201, again: 200, look: "/rooms/seattle/messages"},
			{name: "with a file of another message", body: `{"id":"{fresh}","text":"","attachments":["{file}"]}`, caller: "moderator", first: 422},
			{name: "a reply", body: `{"id":"{fresh}","text":"re","thread":"{sent}~owner"}`, caller: "guest", first: 201, again: 200, look: "/rooms/seattle/messages?user=guest"},
			{name: "a reply to an unknown message", body: `{"id":"{fresh}","text":"re","thread":"{fresh}~owner"}`, caller: "guest", first: 422},
		},
	},
	{
		route:     "PATCH /rooms/{room}/messages/{id}",
		unaudited: "each version of the message names its service and its time",
		roles: []row{
			{what: "one's own, mention everyone", body: `{"mentionRoom":true}`, own: true},
			{what: "the owner's", body: `{"text":"y"}`},
			{what: "one's own", body: `{"text":"y"}`, own: true},
		},
		faults: []faultSample{
			{name: "mentions", body: `{"mentions":["guest"],"mentionRoom":true}`, match: `"2"`, caller: "owner", first: 200, look: "/rooms/seattle/messages/{sent}~owner"},
			{name: "in slow mode", path: "/rooms/slow/messages/{old}~member", body: `{"text":"y"}`, match: `"1"`, caller: "member", first: 200, look: "/rooms/slow/messages"},
			{name: "edit", path: "/rooms/seattle/messages/{sent}~member", body: `{"text":"y","metadata":{"b":2}}`, match: `"1"`, caller: "member", first: 200, look: "/rooms/seattle/messages/{sent}~member/versions"},
			{name: "edit again", body: `{"text":"thrice"}`, match: `"2"`, caller: "owner", first: 200, look: "/rooms/seattle/messages/{sent}~owner/versions"},
			{name: "edit whatever stands", body: `{"text":"last"}`, caller: "owner", first: 200, look: "/rooms/seattle/messages/{sent}~owner/versions"},
		},
	},
	{route: "GET /people/me/heads", roles: []row{{}}, faults: []faultSample{{name: "heads", caller: "member", first: 200}}},
	{route: "GET /people/me/notifications", roles: []row{{}}, faults: []faultSample{{name: "settings", caller: "member", first: 200}}},
	{
		route: "PATCH /people/me/notifications", unaudited: "concerns only the caller", roles: []row{{body: `{"level":"all"}`}},
		faults: []faultSample{{name: "settings", body: `{"show":"none","pausedUntil":"2018-08-29T13:00:00Z"}`, caller: "member", first: 200, look: "/people/me/notifications"}},
	},
	{route: "GET /people/me/mentions", roles: []row{{}}, faults: []faultSample{{name: "mentioned", path: "/people/me/mentions?limit=1", caller: "member", first: 200}}},
	{
		route: "GET /rooms/{room}/messages",
		roles: []row{{}},
		faults: []faultSample{
			{name: "newest", caller: "member", first: 200},
			{name: "of a private room", path: "/rooms/{private}/messages", caller: "member", first: 200},
			{name: "of a person", path: "/rooms/seattle/messages?user=member&order=asc", caller: "guest", first: 200},
			{name: "with people", path: "/rooms/seattle/messages?include=people", caller: "guest", first: 200},
			{name: "around", path: "/rooms/seattle/messages?around={sent}~owner", caller: "guest", first: 200},
			{name: "before", path: "/rooms/seattle/messages?before={sent}~owner", caller: "guest", first: 200},
			{name: "after, of a person", path: "/rooms/seattle/messages?user=member&after={sent}~owner", caller: "guest", first: 200},
		},
	},
	{route: "GET /rooms/{room}/messages/{id}", roles: []row{{}}, faults: []faultSample{{name: "one", path: "/rooms/seattle/messages/{sent}~member", caller: "guest", first: 200}}},
	{route: "GET /rooms/{room}/messages/{id}/versions", roles: []row{{}}, faults: []faultSample{{name: "all", caller: "guest", first: 200}}},
	{
		route:     "PUT /rooms/{room}/messages/{id}/reactions/{emoji}",
		unaudited: "list-reactions names everyone who reacted",
		roles:     []row{{}},
		faults: []faultSample{
			{name: "first", caller: "member", first: 200, look: "/rooms/seattle/messages/{sent}~owner/reactions?emoji=%F0%9F%91%8D"},
			{name: "again", path: "/rooms/seattle/messages/{sent}~member/reactions/%F0%9F%91%8D", caller: "owner", first: 200, look: "/rooms/seattle/messages/{sent}~member/reactions?emoji=%F0%9F%91%8D"},
		},
	},
	{
		route:  "GET /rooms/{room}/messages/{id}/reactions",
		roles:  []row{{query: "?emoji=%F0%9F%91%8D&include=people"}},
		faults: []faultSample{{name: "who", path: "/rooms/seattle/messages/{sent}~member/reactions?include=people&emoji=%F0%9F%91%8D", caller: "guest", first: 200}},
	},
	{
		route:     "DELETE /rooms/{room}/messages/{id}/reactions/{emoji}",
		unaudited: "a person takes back only their own reaction",
		roles:     []row{{}},
		faults: []faultSample{
			{name: "one's own", path: "/rooms/seattle/messages/{sent}~member/reactions/%F0%9F%91%8D", caller: "owner", first: 200, look: "/rooms/seattle/messages/{sent}~member/reactions?emoji=%F0%9F%91%8D"},
			{name: "none", path: "/rooms/seattle/messages/{sent}~member/reactions/%F0%9F%91%8D", caller: "member", first: 200},
		},
	},
	{
		route:     "PUT /rooms/{room}/messages/{id}/vote",
		unaudited: "list-votes names everyone who voted, unless the poll is anonymous",
		roles:     []row{{body: `{"choices":[0]}`}},
		faults: []faultSample{
			{name: "first", body: `{"choices":[0]}`, caller: "member", first: 204, look: "/rooms/seattle/messages/{sent}~owner/votes"},
			{name: "another", body: `{"choices":[0]}`, caller: "moderator", first: 204, look: "/rooms/seattle/messages/{sent}~owner/votes"},
		},
	},
	{
		route:  "GET /rooms/{room}/messages/{id}/votes",
		roles:  []row{{query: "?include=people"}},
		faults: []faultSample{{name: "who", path: "/rooms/seattle/messages/{sent}~owner/votes?include=people", caller: "guest", first: 200}},
	},
	{
		route:     "DELETE /rooms/{room}/messages/{id}/vote",
		unaudited: "a person takes back only their own vote",
		roles:     []row{{}},
		faults: []faultSample{
			{name: "one's own", caller: "moderator", first: 204, look: "/rooms/seattle/messages/{sent}~owner/votes"},
			{name: "none", caller: "member", first: 204},
		},
	},
	{
		route: "DELETE /rooms/{room}/messages/{id}",
		roles: []row{
			{what: "the owner's"},
			{what: "one's own", own: true},
		},
		faults: []faultSample{
			{name: "delete", match: `"2"`, caller: "owner", first: 200, look: "/rooms/seattle/messages/{sent}~owner"},
			{name: "delete whatever stands", caller: "moderator", first: 200, look: "/rooms/seattle/messages/{sent}~owner/versions"},
		},
	},
	{
		route:  "PUT /rooms/{room}/messages/{id}/pin",
		roles:  []row{{}},
		faults: []faultSample{{name: "new", path: "/rooms/seattle/messages/{sent}~member/pin", caller: "moderator", audited: true, first: 204, look: "/rooms/seattle/pins"}},
	},
	{
		route: "DELETE /rooms/{room}/messages/{id}/pin",
		roles: []row{{}},
		faults: []faultSample{
			{name: "pinned", caller: "owner", audited: true, first: 204, look: "/rooms/seattle/pins"},
			{name: "not pinned", path: "/rooms/seattle/messages/{sent}~member/pin", caller: "owner", first: 204, look: "/rooms/seattle/pins"},
		},
	},
	{route: "GET /rooms/{room}/pins", roles: []row{{}}, faults: []faultSample{{name: "all", caller: "guest", first: 200}}},
	{route: "PUT /people/me/saved/{room}/{id}", unaudited: "concerns only the caller", roles: []row{{}}, faults: []faultSample{{name: "a message", caller: "guest", first: 204, look: "/people/me/saved"}}},
	{
		route:     "DELETE /people/me/saved/{room}/{id}",
		unaudited: "concerns only the caller",
		roles:     []row{{}},
		faults:    []faultSample{{name: "saved", path: "/people/me/saved/seattle/{sent}~member", caller: "member", first: 204, look: "/people/me/saved"}},
	},
	{route: "GET /people/me/saved", roles: []row{{}}, faults: []faultSample{{name: "own", caller: "member", first: 200}}},
	{
		route:     "POST /rooms/{room}/messages/{id}/reports",
		unaudited: "the report names its reporter and stays; its resolution is audited",
		roles:     []row{{body: `{"reason":"spam"}`}},
		faults: []faultSample{
			{name: "first", body: `{"reason":"spam"}`, caller: "member", first: 201, again: 200, look: "/rooms/seattle/audit"},
			{name: "again", body: `{"reason":"other"}`, caller: "moderator", first: 200},
		},
	},
	{
		route:  "PATCH /rooms/{room}/reports/{report}",
		roles:  []row{{body: `{"resolved":true}`}},
		faults: []faultSample{{name: "resolve", path: "/rooms/seattle/reports/{sent}~owner~moderator", body: `{"resolved":true}`, caller: "moderator", first: 200, look: "/rooms/seattle/audit"}},
	},
	{route: "GET /rooms/{room}/reports", roles: []row{{}}, faults: []faultSample{{name: "of a room", caller: "moderator", first: 200}}},
	{route: "GET /reports", roles: []row{{}}, faults: []faultSample{{name: "of all rooms", caller: "desk", service: true, first: 200}}},
}

var threadOperations = []operationRequests{
	{
		route: "GET /rooms/{room}/messages/{id}/replies",
		roles: []row{{}},
		faults: []faultSample{
			{name: "all", caller: "guest", first: 200},
			{name: "of a reply", path: "/rooms/seattle/messages/{reply}~member/replies", caller: "guest", first: 422},
		},
	},
	{route: "GET /rooms/{room}/threads", roles: []row{{}}, faults: []faultSample{{name: "of the room", caller: "guest", first: 200}}},
	{
		route:     "PUT /rooms/{room}/messages/{id}/read",
		unaudited: "concerns only the caller",
		roles:     []row{{body: `{"seq":0}`}},
		faults: []faultSample{
			{name: "first in a thread", body: `{"seq":4}`, caller: "member", first: 200, look: "/people/me/threads"},
			{name: "back in a thread", body: `{"seq":1}`, caller: "moderator", first: 200, look: "/people/me/threads"},
		},
	},
	{route: "PUT /rooms/{room}/messages/{id}/follow", unaudited: "concerns only the caller", roles: []row{{}}, faults: []faultSample{{name: "follow", caller: "member", first: 204, look: "/people/me/threads"}}},
	{route: "DELETE /rooms/{room}/messages/{id}/follow", unaudited: "concerns only the caller", roles: []row{{}}, faults: []faultSample{{name: "cease to follow", caller: "moderator", first: 204, look: "/people/me/threads"}}},
	{route: "GET /people/me/threads", roles: []row{{}}, faults: []faultSample{{name: "followed", caller: "moderator", first: 200}}},
}

var documentOperations = []operationRequests{
	{route: "GET /rooms/{room}/documents", roles: []row{{}}, faults: []faultSample{{name: "list", caller: "guest", first: 200}}},
	{
		route:  "PATCH /rooms/{room}/documents/{doc}",
		roles:  []row{{body: `{"title":"new"}`}},
		faults: []faultSample{{name: "change", body: `{"title":"Rules"}`, caller: "moderator", audited: true, first: 200, look: "/rooms/seattle/documents/rules"}},
	},
	{
		route: "PUT /rooms/{room}/documents/{doc}",
		roles: []row{
			{what: "make it", doc: "agenda"},
			{what: "change it", body: `{"title":"new"}`},
		},
		faults: []faultSample{
			{name: "create", path: "/rooms/seattle/documents/agenda", body: `{"title":"Agenda"}`, caller: "member", audited: true, first: 201, again: 200, look: "/rooms/seattle/documents/agenda"},
			{name: "create in slow mode", path: "/rooms/slow/documents/plan", body: "{}", caller: "member", audited: true, first: 201, again: 200, look: "/rooms/slow/documents/plan"},
			{name: "create with permissions", path: "/rooms/seattle/documents/agenda", body: `{"read":"members","write":"owners"}`, caller: "owner", audited: true, first: 201, again: 200, look: "/rooms/seattle/documents/agenda"},
			{name: "change", body: `{"title":"Rules","write":"moderators"}`, caller: "moderator", audited: true, first: 200, look: "/rooms/seattle/documents/rules"},
		},
	},
	{
		route: "GET /rooms/{room}/documents/{doc}",
		roles: []row{
			{},
			{what: "for moderators", doc: "minutes"},
		},
		faults: []faultSample{{name: "read", caller: "guest", first: 200}},
	},
	{
		route: "PUT /rooms/{room}/documents/{doc}/parts/{part}",
		roles: []row{
			{body: `{"text":"y"}`},
			{what: "for moderators", body: `{"text":"y"}`, doc: "minutes"},
		},
		faults: []faultSample{
			{name: "first of a document", path: "/rooms/seattle/documents/agenda/parts/one", body: `{"text":"z"}`, caller: "member", first: 201, again: 200, look: "/rooms/seattle/documents/agenda"},
			{name: "in slow mode", path: "/rooms/slow/documents/plan/parts/one", body: `{"text":"z"}`, caller: "member", first: 201, again: 200, look: "/rooms/slow/documents/plan"},
			{name: "another", path: "/rooms/seattle/documents/rules/parts/two", body: `{"text":"z"}`, caller: "member", first: 201, again: 200, look: "/rooms/seattle/documents/rules"},
			{name: "next version", body: `{"text":"three"}`, match: `"2"`, caller: "member", first: 200, look: "/rooms/seattle/documents/rules/parts/one/versions"},
		},
	},
	{
		route: "GET /rooms/{room}/documents/{doc}/parts/{part}",
		roles: []row{
			{},
			{what: "for moderators", doc: "minutes"},
		},
		faults: []faultSample{{name: "newest", caller: "guest", first: 200}},
	},
	{route: "GET /rooms/{room}/documents/{doc}/parts/{part}/versions", roles: []row{{}}, faults: []faultSample{{name: "all", caller: "guest", first: 200}}},
	{route: "GET /rooms/{room}/documents/{doc}/parts/{part}/versions/{n}", roles: []row{{}}, faults: []faultSample{{name: "first", caller: "guest", first: 200}}},
}

var fileOperations = []operationRequests{
	{
		route:     "POST /rooms/{room}/uploads",
		unaudited: "the file is seen in a message, which names its sender; without one it is removed",
		roles:     []row{{body: announcement("{fresh}")}},
		faults: []faultSample{
			{name: "new", body: announcement("{fresh}"), caller: "member", first: 201, again: 200},
			{name: "a retry", body: announcement("{loose}"), caller: "member", first: 200},
			{name: "another file with the id", body: announcement("{loose}", `{"name":"other.png"}`), caller: "member", first: 409},
		},
	},
	{
		route:     "POST /rooms/{room}/attachments/links",
		unaudited: "changes nothing",
		roles:     []row{{body: `{"messages":["{id}"]}`}},
		faults:    []faultSample{{name: "of a message", body: `{"messages":["{sent}~moderator","{sent}~owner","{fresh}~owner"]}`, caller: "guest", first: 200}},
	},
	{route: "GET /rooms/{room}/attachments", roles: []row{{}}, faults: []faultSample{{name: "all", caller: "guest", first: 200}}},
}
