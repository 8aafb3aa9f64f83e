package httpapi_test

var fileOperations = []operationRequests{
	{
		route: "POST /rooms/{room}/uploads",
		roles: []row{{body: announcement("{fresh}")}},
		faults: []faultSample{
			{name: "new", body: announcement("{fresh}"), caller: "member", first: 201, again: 200},
			{name: "a retry", body: announcement("{loose}"), caller: "member", first: 200},
			{name: "another file with the id", body: announcement("{loose}", `{"name":"other.png"}`), caller: "member", first: 409},
		},
	},
	{
		route:  "POST /rooms/{room}/attachments/links",
		roles:  []row{{body: `{"messages":["{id}"]}`}},
		faults: []faultSample{{name: "of a message", body: `{"messages":["{sent}~moderator","{sent}~owner","{fresh}~owner"]}`, caller: "guest", first: 200}},
	},
	{route: "GET /rooms/{room}/attachments", roles: []row{{}}, faults: []faultSample{{name: "all", caller: "guest", first: 200}}},
}
