package httpapi_test

// bulkOperations have one entry in each sample, because the entries of a request are concurrent.
var bulkOperations = []operationRequests{
	{
		route: "POST /bulk/people",
		roles: []row{{body: `{"items":[{"user":"guest","name":"x"}]}`}},
		faults: []faultSample{
			{name: "new", body: `{"items":[{"user":"guest","name":"Gus","title":"Guest"}]}`, caller: "desk", service: true, first: 200, look: "/people/guest"},
			{name: "change", body: `{"items":[{"user":"owner","name":"Olga B","state":"TX"}]}`, caller: "desk", service: true, first: 200, look: "/people/me"},
		},
	},
	{
		route: "POST /bulk/rooms",
		roles: []row{{body: `{"items":[{"id":"new"}]}`}},
		faults: []faultSample{
			{name: "new", body: `{"items":[{"id":"new","topic":"x"}]}`, caller: "desk", service: true, audited: true, first: 200, look: "/rooms/new"},
			{name: "change", body: `{"items":[{"id":"depot","topic":"x"}]}`, caller: "desk", service: true, audited: true, first: 200, look: "/rooms/depot"},
		},
	},
	{
		route: "POST /bulk/memberships",
		roles: []row{{body: `{"items":[{"room":"new","user":"guest","role":"member"}]}`}},
		faults: []faultSample{
			{name: "member", body: `{"items":[{"room":"seattle","user":"guest","role":"member"}]}`, caller: "desk", service: true, first: 200, look: "/rooms/seattle/members"},
			{name: "strict", body: `{"strict":true,"items":[{"room":"depot","user":"owner","role":"member"}]}`, caller: "desk", service: true, first: 200, look: "/rooms/depot/members"},
			{name: "moderator", body: `{"items":[{"room":"depot","user":"guest","role":"moderator"}]}`, caller: "desk", service: true, first: 200, look: "/rooms/depot/members"},
		},
	},
}
