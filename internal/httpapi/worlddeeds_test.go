package httpapi_test

import (
	"fmt"
	"net/url"
	"time"
)

// deed is a request that a person in a world makes.
type deed struct{ method, path, body, ifMatch string }

// further returns the path of the next page.
func (d deed) further(next string) string {
	at, _ := url.Parse(d.path)
	q := at.Query()
	q.Set("cursor", next)
	at.RawQuery = q.Encode()
	return at.String()
}

func (w *world) pick(from ...string) string { return from[w.random.IntN(len(from))] }

func (w *world) person() string { return fmt.Sprintf("%s%d", w.prefix, w.random.IntN(worldPeople)) }

// caller returns a random person, but the same one half of the time: that person owns more rooms and
// messages, so more of their requests succeed.
func (w *world) caller() string {
	if w.random.IntN(2) == 0 {
		return w.prefix + "0"
	}
	return w.person()
}

// upTo returns a random number from 1 to n.
func (w *world) upTo(n int) int { return 1 + w.random.IntN(n) }

// request returns a random request. Every route needs one that succeeds now and then. No request
// reads another world: lists of rooms and people are filtered by what only this world contains.
func (w *world) request() deed {
	kinds := []func(room string) deed{
		w.settings, w.talk, w.talk, w.listen, w.revise, w.revise, w.membership, w.membership, w.document, w.document, w.document, w.myself, w.device, w.lookUp,
	}
	return kinds[w.random.IntN(len(kinds))](w.room())
}

// room returns the path of a room, which is sometimes private.
func (w *world) room() string {
	if len(w.private) > 0 && w.random.IntN(3) == 0 {
		return "/rooms/" + w.pick(w.private...)
	}
	return fmt.Sprintf("/rooms/%s-%d", w.prefix, w.random.IntN(worldRooms))
}

func (w *world) settings(room string) deed {
	place := fmt.Sprintf(`["%s","%d"]`, w.prefix, w.random.IntN(2))
	switch w.random.IntN(12) {
	case 0, 1, 2, 3:
		return deed{"PUT", room, fmt.Sprintf(`{"topic":"topic %d","shards":%d,"place":%s}`, w.random.IntN(9), w.upTo(2), place), ""}
	case 4:
		return deed{"POST", "/rooms", `{"visibility":"private","name":"x"}`, ""}
	case 5:
		return deed{"GET", room, "", ""}
	}
	return deed{"PUT", room, fmt.Sprintf(`{"posting":%q,"slowModeSeconds":%d}`, w.pick("everyone", "everyone", "members", "moderators"), w.random.IntN(3)), ""}
}

func (w *world) talk(room string) deed {
	return deed{"POST", room + "/messages", fmt.Sprintf(`{"text":"text %d"}`, w.random.IntN(100)), ""}
}

func (w *world) listen(room string) deed {
	switch w.random.IntN(5) {
	case 3:
		return deed{"GET", room + "/changes", "", ""}
	case 4:
		return deed{"PUT", room + "/read", `{"seq":0}`, ""}
	case 0:
		return deed{"GET", room + "/messages?user=" + w.person(), "", ""}
	case 1:
		return deed{"GET", w.pick(w.last...), "", ""}
	}
	return deed{"GET", room + fmt.Sprintf("/messages?limit=%d&order=%s", w.upTo(20), w.pick("asc", "desc")), "", ""}
}

// revise returns a request with a random message, revision and caller, so that it often fails.
func (w *world) revise(string) deed {
	message, revision := w.pick(w.last...), fmt.Sprintf(`"%d"`, w.upTo(2))
	switch w.random.IntN(6) {
	case 0:
		return deed{"DELETE", message, "", w.pick("*", revision)}
	case 1, 2:
		return deed{"GET", fmt.Sprintf("%s/versions?limit=%d", message, w.upTo(2)), "", ""}
	}
	return deed{"PATCH", message, fmt.Sprintf(`{"text":"edit %d"}`, w.random.IntN(9)), revision}
}

func (w *world) membership(room string) deed {
	switch w.random.IntN(10) {
	case 0, 1, 2:
		return deed{"PUT", room + "/members/" + w.person(), fmt.Sprintf(`{"role":%q}`, w.pick("owner", "moderator", "member", "muted", "banned")), ""}
	case 3:
		return deed{"PUT", room + "/members/me", `{"role":"member"}`, ""}
	case 4, 9:
		return deed{"DELETE", room + "/members/" + w.pick("me", w.person()), "", ""}
	case 5, 6:
		return deed{"GET", fmt.Sprintf("%s/audit?limit=%d", room, w.upTo(5)), "", ""}
	case 7:
		return deed{"GET", fmt.Sprintf("/people/me/rooms?limit=%d", w.upTo(3)), "", ""}
	}
	return deed{"GET", fmt.Sprintf("%s/members?limit=%d", room, w.upTo(3)), "", ""}
}

func (w *world) document(room string) deed {
	doc := room + "/documents/" + w.pick("rules", "rules", "rules", "agenda")
	part := doc + "/parts/" + w.pick("one", "one", "two")
	switch w.random.IntN(8) {
	case 0:
		return deed{"PUT", doc, fmt.Sprintf(`{"title":"title %d","read":%q}`, w.random.IntN(3), w.pick("room", "members")), ""}
	case 1:
		return deed{"GET", room + "/documents?limit=1", "", ""}
	case 2:
		return deed{"GET", doc + "?limit=1", "", ""}
	case 3:
		return deed{"GET", part, "", ""}
	case 4:
		return deed{"GET", part + "/versions?limit=1", "", ""}
	case 5:
		return deed{"GET", fmt.Sprintf("%s/versions/%d", part, w.upTo(2)), "", ""}
	}
	base := ""
	if n := w.random.IntN(4); n > 0 {
		base = fmt.Sprintf(`"%d"`, n)
	}
	return deed{"PUT", part, fmt.Sprintf(`{"text":"text %d"}`, w.random.IntN(9)), base}
}

func (w *world) myself(string) deed {
	if w.random.IntN(2) == 0 {
		return deed{"GET", "/people/" + w.pick("me", w.person()), "", ""}
	}
	return deed{"PUT", "/people/me", fmt.Sprintf(`{"name":"%s name %d","title":"%s clerk %d","state":"%s state"}`,
		w.prefix, w.random.IntN(9), w.prefix, w.random.IntN(3), w.prefix), ""}
}

func (w *world) device(string) deed {
	device := "/devices/" + w.pick("phone", "desk") + "/events"
	if w.random.IntN(2) == 0 {
		return deed{"GET", fmt.Sprintf("%s?limit=%d", device, w.upTo(5)), "", ""}
	}
	at := w.now().Add(-time.Duration(w.random.IntN(3)) * time.Second).Format(time.RFC3339)
	event := fmt.Sprintf(`{"type":"error","at":%q,"detail":"%d"}`, at, w.random.IntN(3))
	return deed{"POST", device, `{"events":[` + event + `,{"type":"connection","at":"` + at + `"}]}`, ""}
}

func (w *world) lookUp(string) deed {
	if len(w.further) > 0 && w.random.IntN(3) == 0 {
		return deed{"GET", w.pick(w.further...), "", ""}
	}
	if w.random.IntN(2) == 0 {
		return deed{"GET", "/rooms?limit=2&place=" + w.pick(w.prefix, w.prefix+"/0"), "", ""}
	}
	return deed{"GET", "/people?limit=2&" + w.pick("name="+w.prefix, "state="+w.prefix+"+state", "title="+w.prefix+"+clerk+1", "had_title="+w.prefix+"+clerk+1"), "", ""}
}
