package httpapi_test

var searchOperations = []operationRequests{
	{
		route: "GET /search",
		roles: []row{
			{query: "?q=x"},
			{what: "in the room", query: "?q=x+in:{room}"},
		},
		faults: []faultSample{
			{name: "of one's rooms", path: "/search?q=re&around=true", caller: "member", first: 200},
			{name: "in a private room", path: "/search?q=x+in:{private}", caller: "member", first: 200},
			{name: "by a filter", path: "/search?q=has:file", caller: "owner", first: 200},
		},
	},
	{
		route:  "GET /rooms/{room}/search",
		roles:  []row{{query: "?q=x"}},
		faults: []faultSample{{name: "as a guest", path: "/rooms/seattle/search?q=twice", caller: "guest", first: 200}},
	},
}
