package httpapi_test

import (
	"fmt"
	"net/url"
	"path"
	"strings"
	"time"

	"parley/internal/chat"
)

// request is a request of a person in a population.
type request struct{ method, path, body, ifMatch string }

// further returns the path of the next page.
func (r request) further(next string) string {
	at, _ := url.Parse(r.path)
	q := at.Query()
	q.Set("cursor", next)
	q.Del("before")
	q.Del("after")
	at.RawQuery = q.Encode()
	return at.String()
}

func (p *population) pick(from ...string) string { return from[p.random.IntN(len(from))] }

func (p *population) person() string {
	return fmt.Sprintf("%s%d", p.prefix, p.random.IntN(populationPeople))
}

// caller returns one person half of the time. A person who does more owns more, and so may do more.
func (p *population) caller() string {
	if p.random.IntN(2) == 0 {
		return p.prefix + "0"
	}
	return p.person()
}

// upTo returns a number from 1 to n.
func (p *population) upTo(n int) int { return 1 + p.random.IntN(n) }

// randomRequest returns a random request. None reads another population: lists of rooms and people
// are filtered by values that only this one has.
func (p *population) randomRequest() request {
	kinds := []func(room string) request{
		p.settings, p.talk, p.talk, p.reply, p.reply, p.listen, p.revise, p.revise, p.membership, p.membership, p.membership, p.document, p.document, p.document, p.myself, p.device, p.lookUp,
	}
	return kinds[p.random.IntN(len(kinds))](p.room())
}

// room returns the path of a room, which is private at times.
func (p *population) room() string {
	if len(p.private) > 0 && p.random.IntN(3) == 0 {
		return "/rooms/" + p.pick(p.private...)
	}
	return fmt.Sprintf("/rooms/%s-%d", p.prefix, p.random.IntN(populationRooms))
}

func (p *population) settings(room string) request {
	place := fmt.Sprintf(`["%s","%d"]`, p.prefix, p.random.IntN(2))
	switch p.random.IntN(20) {
	case 18, 19:
		return request{"PUT", room, archive, ""}
	case 16, 17:
		if len(p.made) > 0 {
			return request{"DELETE", p.pick(p.made...), "", ""}
		}
		fallthrough
	case 15:
		id := chat.NewUUID(start, [10]byte{9: byte(p.random.IntN(3))})
		return request{"POST", "/rooms", fmt.Sprintf(`{"visibility":"private","name":"x","requestId":"%s"}`, id), ""}
	case 14:
		return request{"POST", "/rooms", `{"visibility":"private","name":"x"}`, ""}
	case 12, 13:
		return request{"POST", "/rooms", fmt.Sprintf(`{"direct":["%s"]}`, p.person()), ""}
	case 0, 1, 2, 3:
		return request{"PUT", room, fmt.Sprintf(`{"topic":"topic %d","shards":%d,"place":%s}`, p.random.IntN(9), p.upTo(2), place), ""}
	case 4, 5:
		return request{"GET", room + p.pick("", "?include=count"), "", ""}
	}
	return request{"PUT", room, fmt.Sprintf(`{"archived":false,"posting":%q,"pinning":%q,"slowModeSeconds":%d,"receipts":%v}`, p.pick("everyone", "everyone", "members", "moderators"), p.pick("moderators", "members"), p.random.IntN(3), p.random.IntN(2) == 0), ""}
}

func (p *population) talk(room string) request {
	if message := p.pick(p.last...); p.random.IntN(8) == 0 {
		return request{"POST", path.Dir(message), fmt.Sprintf(`{"text":"text %d","quote":%q}`, p.random.IntN(100), path.Base(message)), ""}
	}
	switch p.random.IntN(8) {
	case 0:
		body := fmt.Sprintf(`{"text":"text %d","mentions":[%q],"mentionRoom":%v}`, p.random.IntN(100), p.person(), p.random.IntN(4) == 0)
		return request{"POST", room + "/messages", body, ""}
	case 1:
		return request{"GET", fmt.Sprintf("/people/me/mentions?limit=%d", p.upTo(3)), "", ""}
	}
	return request{"POST", room + "/messages", fmt.Sprintf(`{"text":"text %d"}`, p.random.IntN(100)), ""}
}

// reply returns a request for the thread of any message, so it fails for a reply.
func (p *population) reply(room string) request {
	message := p.pick(p.last...)
	switch p.random.IntN(8) {
	case 0, 1:
		body := fmt.Sprintf(`{"text":"reply %d","thread":%q,"showInRoom":%v}`, p.random.IntN(100), path.Base(message), p.random.IntN(2) == 0)
		return request{"POST", path.Dir(message), body, ""}
	case 2:
		return request{"GET", fmt.Sprintf("%s/replies?limit=%d&order=%s", message, p.upTo(3), p.pick("asc", "desc")), "", ""}
	case 3:
		return request{"GET", fmt.Sprintf("%s/threads?limit=%d", room, p.upTo(3)), "", ""}
	case 4:
		return request{"PUT", message + "/read", `{"seq":0}`, ""}
	case 5:
		return request{"DELETE", message + "/follow", "", ""}
	case 6:
		return request{"GET", fmt.Sprintf("/people/me/threads?limit=%d", p.upTo(3)), "", ""}
	}
	return request{"PUT", message + "/follow", "", ""}
}

func (p *population) listen(room string) request {
	switch p.random.IntN(6) {
	case 5:
		message := p.pick(p.last...)
		return request{"GET", path.Dir(message) + "?limit=3&" + p.pick("before=", "after=") + url.QueryEscape(path.Base(message)), "", ""}
	case 3:
		return request{"GET", room + "/changes", "", ""}
	case 4:
		message := p.pick(p.last...)
		body := p.pick(`{"seq":0}`, `{"message":%q}`, `{"unreadFrom":%q}`)
		if strings.Contains(body, "%q") {
			return request{"PUT", path.Dir(path.Dir(message)) + "/read", fmt.Sprintf(body, path.Base(message)), ""}
		}
		return request{"PUT", room + "/read", body, ""}
	case 0:
		return request{"GET", room + "/messages?include=people&user=" + p.person(), "", ""}
	case 1:
		return request{"GET", p.pick(p.last...), "", ""}
	}
	return request{"GET", room + fmt.Sprintf("/messages?limit=%d&order=%s", p.upTo(20), p.pick("asc", "desc")), "", ""}
}

// revise returns a request for any revision by anyone, so it often fails.
func (p *population) revise(room string) request {
	message, revision := p.pick(p.last...), fmt.Sprintf(`"%d"`, p.upTo(2))
	switch p.random.IntN(17) {
	case 16:
		return request{"PUT", message + "/pin", "", ""}
	case 9:
		return request{p.pick("PUT", "DELETE"), "/people/me/saved/" + path.Base(path.Dir(path.Dir(message))) + "/" + path.Base(message), "", ""}
	case 10:
		return request{"DELETE", message + "/pin", "", ""}
	case 11:
		if p.random.IntN(2) == 0 {
			return request{"GET", fmt.Sprintf("/people/me/saved?limit=%d", p.upTo(3)), "", ""}
		}
		return request{"GET", room + fmt.Sprintf("/pins?limit=%d", p.upTo(3)), "", ""}
	case 12:
		return request{"GET", fmt.Sprintf("%s/reactions?emoji=%s&limit=%d", message, p.pick(thumb, "%E2%9D%A4"), p.upTo(2)), "", ""}
	case 13, 14, 15:
		return request{p.pick("PUT", "PUT", "DELETE"), message + "/reactions/" + p.pick(thumb, "%E2%9D%A4", "%E2%9D%A4%EF%B8%8F"), "", ""}
	case 6:
		return request{"POST", message + "/reports", fmt.Sprintf(`{"reason":"reason %d"}`, p.random.IntN(9)), ""}
	case 7:
		return request{"GET", room + fmt.Sprintf("/reports?limit=%d", p.upTo(2)), "", ""}
	case 8:
		if len(p.reports) > 0 {
			return request{"PUT", p.pick(p.reports...), `{"resolved":true}`, ""}
		}
	case 0:
		return request{"DELETE", message, "", p.pick("", "*", revision)}
	case 1, 2:
		return request{"GET", fmt.Sprintf("%s/versions?limit=%d", message, p.upTo(2)), "", ""}
	}
	return request{"PATCH", message, fmt.Sprintf(`{"text":"edit %d","metadata":{"n":%d}}`, p.random.IntN(9), p.random.IntN(2)), p.pick("", revision, revision)}
}

func (p *population) membership(room string) request {
	switch p.random.IntN(19) {
	case 17, 18:
		until := p.now().Add(time.Duration(p.upTo(5)) * time.Second).Format(time.RFC3339Nano)
		return request{"PUT", room + "/members/" + p.person(), fmt.Sprintf(`{"role":%q,"until":%q,"reason":"noise"}`, p.pick("muted", "banned", "banned"), until), ""}
	case 13, 14, 15, 16:
		return p.invitation(room)
	case 11, 12:
		return request{"GET", room + "/bans", "", ""}
	case 10:
		if len(p.members) > 0 {
			member := p.pick(p.members[max(0, len(p.members)-9):]...) // a stranger cannot become an owner
			return request{"PUT", path.Dir(path.Dir(member)) + "/owner", fmt.Sprintf(`{"user":%q}`, path.Base(member)), ""}
		}
		return request{"PUT", room + "/owner", fmt.Sprintf(`{"user":%q}`, p.person()), ""}
	case 0, 1, 2:
		return request{"PUT", room + "/members/" + p.person(), fmt.Sprintf(`{"role":%q}`, p.pick("owner", "moderator", "member", "muted", "banned")), ""}
	case 3:
		return request{"PUT", room + "/members/me", `{"role":"member"}`, ""}
	case 4, 9:
		return request{"DELETE", room + "/members/" + p.pick("me", p.person()), "", ""}
	case 5, 6:
		return request{"GET", fmt.Sprintf("%s/audit?limit=%d", room, p.upTo(5)), "", ""}
	case 7:
		return request{"GET", fmt.Sprintf("/people/me/rooms?limit=%d", p.upTo(3)), "", ""}
	}
	switch p.upTo(3) {
	case 1:
		return request{"GET", room + "/online", "", ""}
	case 2:
		return request{"GET", room + p.pick("/members/"+p.person(), "/members/me"), "", ""}
	}
	return request{"GET", fmt.Sprintf("%s/members?limit=%d%s", room, p.upTo(3), p.pick("", "&include=people")), "", ""}
}

func (p *population) invitation(room string) request {
	if len(p.tokens) > 0 {
		switch p.random.IntN(4) {
		case 0:
			return request{"POST", "/invites/" + p.pick(p.tokens...), "", ""}
		case 1:
			return request{"DELETE", p.pick(p.invites...), "", ""}
		}
	}
	if p.random.IntN(2) == 0 {
		return request{"GET", fmt.Sprintf("%s/invites?limit=%d", room, p.upTo(3)), "", ""}
	}
	return request{"POST", room + "/invites", fmt.Sprintf(`{"role":%q,"maxUses":%d}`, p.pick("member", "moderator"), p.upTo(3)), ""}
}

func (p *population) document(room string) request {
	doc := room + "/documents/" + p.pick("rules", "rules", "rules", "agenda")
	part := doc + "/parts/" + p.pick("one", "one", "two")
	switch p.random.IntN(8) {
	case 0:
		return request{"PUT", doc, fmt.Sprintf(`{"title":"title %d","read":%q}`, p.random.IntN(3), p.pick("room", "members")), ""}
	case 1:
		return request{"GET", room + "/documents?limit=1", "", ""}
	case 2:
		return request{"GET", doc + "?limit=1", "", ""}
	case 3:
		return request{"GET", part, "", ""}
	case 4:
		return request{"GET", part + "/versions?limit=1", "", ""}
	case 5:
		return request{"GET", fmt.Sprintf("%s/versions/%d", part, p.upTo(2)), "", ""}
	}
	base := ""
	if n := p.random.IntN(4); n > 0 {
		base = fmt.Sprintf(`"%d"`, n)
	}
	return request{"PUT", part, fmt.Sprintf(`{"text":"text %d"}`, p.random.IntN(9)), base}
}

func (p *population) myself(string) request {
	switch p.random.IntN(4) {
	case 0:
		return request{"GET", "/people/" + p.pick("me", p.person()), "", ""}
	case 1:
		blocks := "/people/me/blocks"
		return []request{{"PUT", blocks + "/" + p.person(), "", ""}, {"DELETE", blocks + "/" + p.person(), "", ""}, {"GET", blocks, "", ""}}[p.random.IntN(3)]
	}
	return request{"PUT", "/people/me", fmt.Sprintf(`{"name":"%s name %d","title":"%s clerk %d","state":"%s state"}`,
		p.prefix, p.random.IntN(9), p.prefix, p.random.IntN(3), p.prefix), ""}
}

func (p *population) device(string) request {
	device := "/devices/" + p.pick("phone", "desk") + "/events"
	if p.random.IntN(2) == 0 {
		return request{"GET", fmt.Sprintf("%s?limit=%d", device, p.upTo(5)), "", ""}
	}
	at := p.now().Add(-time.Duration(p.random.IntN(3)) * time.Second).Format(time.RFC3339)
	event := fmt.Sprintf(`{"type":"error","at":%q,"detail":"%d"}`, at, p.random.IntN(3))
	return request{"POST", device, `{"events":[` + event + `,{"type":"connection","at":"` + at + `"}]}`, ""}
}

func (p *population) lookUp(string) request {
	if len(p.further) > 0 && p.random.IntN(3) == 0 {
		return request{"GET", p.pick(p.further...), "", ""}
	}
	if p.random.IntN(2) == 0 {
		return request{"GET", "/rooms?limit=2&include=people&place=" + p.pick(p.prefix, p.prefix+"/0"), "", ""}
	}
	return request{"GET", "/people?limit=2&" + p.pick("ids="+p.person()+","+p.person(), "name="+p.prefix, "state="+p.prefix+"+state", "title="+p.prefix+"+clerk+1", "had_title="+p.prefix+"+clerk+1"), "", ""}
}
