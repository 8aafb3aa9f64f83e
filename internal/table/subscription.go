package table

import (
	"fmt"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
)

// endedAttempt is the attempt of an ended subscription. No request has it, so a late activation
// does not revive the subscription. An earlier version takes it for a pending one.
const endedAttempt = "ended"

// LiveSubscriptionItem writes a subscription. Whole audiences are read together, so the item
// leaves out the usual mode.
func LiveSubscriptionItem(s live.Subscription) Item {
	item := LiveSubscriptionKey(s.Room, s.Connection.ID)
	Stamp(item, SubscriptionKind)
	item[attrLiveUser], item[TTL] = Text(string(s.Connection.User)), Number(s.Connection.Until.Unix())
	item[attrLiveAttempt] = Text(s.Attempt)
	if s.Connection.RenewableUntil.After(s.Connection.Until) { // the row must outlive the renewals
		item[attrLiveUntil], item[TTL] = item[TTL], Number(s.Connection.RenewableUntil.Unix())
	}
	if s.Mode != live.Full {
		item[attrLiveMode] = Text(s.Mode.String())
	}
	if s.Active {
		item[attrLiveActive] = Bool(true)
	}
	return item
}

// ParseLiveSubscription reads an item that LiveSubscriptionItem wrote. An unknown mode becomes the
// full one, because clients drop changes that they do not need.
func ParseLiveSubscription(item Item) (live.Subscription, error) {
	r := Reader{Item: item}
	r.Expect(SubscriptionKind)
	room, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(PK), liveRoomPrefix))
	r.Keep(err)
	user, err := chat.StoredUserID(r.Text(attrLiveUser))
	r.Keep(err)
	_, id, _ := strings.Cut(r.Text(SK), "#")
	mode, _ := live.ParseMode(r.OptionalText(attrLiveMode))
	s := live.Subscription{
		Room: room, Connection: live.Connection{ID: live.ConnectionID(id), User: user, Until: r.optionalSeconds(TTL)},
		Mode: mode, Attempt: r.OptionalText(attrLiveAttempt), Active: item[attrLiveActive] != nil,
	}
	s.Ended = s.Attempt == endedAttempt
	if item[attrLiveUntil] != nil {
		s.Connection.Until, s.Connection.RenewableUntil = r.optionalSeconds(attrLiveUntil), s.Connection.Until
	}
	if r.Err != nil {
		return live.Subscription{}, fmt.Errorf("subscription: %w", r.Err)
	}
	return s, nil
}

// LiveActivation activates a subscription of an attempt.
func LiveActivation(attempt string) Update {
	u := liveAttempt(attempt)
	u.Expression, u.Values[":yes"], u.Names["#active"] = "SET #active = :yes", Bool(true), attrLiveActive
	return u
}

// LiveEnding ends an active subscription of an attempt.
func LiveEnding(attempt string) Update {
	u := liveAttempt(attempt)
	u.Expression, u.Condition = "SET #attempt = :ended REMOVE #active", u.Condition+" AND attribute_exists(#active)"
	u.Values[":ended"], u.Names["#active"] = Text(endedAttempt), attrLiveActive
	return u
}

// LiveUnchanged returns the condition that a subscription is as given or does not exist.
func LiveUnchanged(s live.Subscription) Update {
	u := liveAttempt(s.Attempt)
	state := "attribute_not_exists(#active)"
	if s.Active {
		state = "attribute_exists(#active)"
	}
	u.Condition = "attribute_not_exists(PK) OR (" + u.Condition + " AND " + state + ")"
	u.Names["#active"] = attrLiveActive
	return u
}

func liveAttempt(attempt string) Update {
	return Update{
		Condition: "#attempt = :attempt", Names: map[string]string{"#attempt": attrLiveAttempt}, Values: Item{":attempt": Text(attempt)},
	}
}

// LiveTyping marks an active subscription whose last mark is not after notAfter.
func LiveTyping(now, notAfter time.Time) Update {
	return Update{
		Expression: "SET #typing = :now",
		Condition:  "attribute_exists(#active) AND (attribute_not_exists(#typing) OR #typing <= :before)",
		Names:      map[string]string{"#active": attrLiveActive, "#typing": attrLiveTyping},
		Values:     Item{":now": Number(now.UnixMilli()), ":before": Number(notAfter.UnixMilli())},
	}
}

// ParseLiveTyping returns when a subscription was last marked, or the zero time if never. It
// reports false if the subscription is not active.
func ParseLiveTyping(item Item) (time.Time, bool, error) {
	if item[attrLiveActive] == nil {
		return time.Time{}, false, nil
	}
	r := Reader{Item: item}
	at := r.OptionalTime(attrLiveTyping)
	return at, true, r.Err
}
