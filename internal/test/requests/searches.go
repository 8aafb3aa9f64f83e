package requests

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
