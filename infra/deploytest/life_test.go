//go:build deploy

package deploytest

import "maps"

// lifeRoutes calls every route of what people do with messages: threads, mentions, reactions, pins,
// saved messages and searches. The root is a message of the room. The reply is a new id of the caller, and
// mentions the user other.
//
// Its calls enter 5 changes into the feed: the reply, the counts of the root and of the reply,
// the pin, and its end. 4 records are for only one person: the caller follows and unfollows the
// thread, the mention, and the reaction.
func (c *caller) lifeRoutes(room, root, reply, other string) []call {
	in := map[string]string{"room": room}
	with := func(id, emoji string) map[string]string {
		m := maps.Clone(in)
		m["id"], m["emoji"] = id+"~"+c.user, emoji
		return m
	}
	const thumb, heart = "%F0%9F%91%8D", "%E2%9D%A4"
	of, answer := with(root, ""), with(reply, thumb)
	return []call{
		{route: "PUT /rooms/{room}/messages/{id}/follow", path: of, status: 204},
		{
			route: "POST /rooms/{room}/messages", path: in, status: 201, holds: `"thread"`,
			body: `{"id":"` + reply + `","text":"yes","thread":"` + root + "~" + c.user + `","mentions":["` + other + `"]}`,
		},
		{route: "GET /rooms/{room}/messages/{id}/replies", path: of, status: 200, holds: reply},
		{route: "GET /people/me/threads", status: 200, holds: root},
		{route: "PUT /rooms/{room}/messages/{id}/read", path: of, body: `{"seq":0}`, status: 200, holds: `"seq"`},
		{route: "DELETE /rooms/{room}/messages/{id}/follow", path: of, status: 204},
		{route: "PUT /rooms/{room}/messages/{id}/reactions/{emoji}", path: answer, status: 200},
		{route: "GET /rooms/{room}/messages/{id}/reactions", path: answer, query: "emoji=" + thumb, status: 200, holds: c.user},
		{route: "DELETE /rooms/{room}/messages/{id}/reactions/{emoji}", path: with(reply, heart), status: 200},
		{route: "PUT /rooms/{room}/messages/{id}/vote", path: of, body: `{"choices":[0]}`, status: 404, holds: "no poll"},
		{route: "GET /rooms/{room}/messages/{id}/votes", path: of, status: 404, holds: "no poll"},
		{route: "DELETE /rooms/{room}/messages/{id}/vote", path: of, status: 404, holds: "no poll"},
		{route: "PUT /rooms/{room}/messages/{id}/pin", path: of, status: 204},
		{route: "GET /rooms/{room}/pins", path: in, status: 200, holds: root},
		{route: "DELETE /rooms/{room}/messages/{id}/pin", path: of, status: 204},
		{route: "PUT /people/me/saved/{room}/{id}", path: of, status: 204},
		{route: "GET /people/me/saved", status: 200, holds: root},
		{route: "DELETE /people/me/saved/{room}/{id}", path: of, status: 204},
		{route: "GET /search", query: "q=hello+in:" + room, status: 200, holds: root},
		{route: "GET /rooms/{room}/search", path: in, query: "q=is:thread+yes", status: 200, holds: reply},
	}
}
