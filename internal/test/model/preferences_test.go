package model

import (
	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/notify"
	"example.com/parley/internal/policy"
)

// prefer sets what a person prefers about a room. Lists of the person's rooms show it.
func (w *world) prefer() error {
	in := w.randomRoom()
	caller := w.randomUser(in, policy.Read)
	p := inbox.Preferences{Favorite: w.percent(50), Level: notify.Choice{Level: oneOf(w, notify.Unset, notify.All, notify.Direct, notify.Mentions, notify.None)}}
	w.note("%s prefers about %s: %+v", caller, in, p)
	r, denied := w.model.enter(caller, in, policy.Read)
	switch {
	case denied != (refusal{}):
	case !r.isMember(caller):
		denied = refused(chat.NotFound)
	default:
		r.prefers[caller] = p
		if _, ok := r.marks[caller]; !ok {
			r.marks[caller] = mark{} // which contains them
		}
	}
	err := w.service(in).Inbox.SetPreferences(w.ctx, caller, caller, in, p)
	return w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(err)})
}

// forgottenPreferences is a fault of calls: a mark resets preferences.
func forgottenPreferences(input any) any {
	if in, forward := markerUpdate(input); forward {
		*in.UpdateExpression += " REMOVE favorite, #level, levelUntil"
		in.ExpressionAttributeNames["#level"] = "level"
	}
	return nil
}
