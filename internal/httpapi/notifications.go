package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/notify"
	"example.com/parley/internal/wire"
)

// notificationsBody is what a person has chosen for notifications, in a response.
type notificationsBody struct {
	Level          string     `json:"level" enum:"all,direct,mentions,none" doc:"Of which messages the caller is notified, in rooms without a level of their own (put-preferences)"`
	PausedUntil    string     `json:"pausedUntil,omitempty" format:"date-time" doc:"There are no notifications until then; absent if none was set"`
	Quiet          *QuietBody `json:"quiet,omitempty" doc:"Absent without quiet hours"`
	MentionsAlways bool       `json:"mentionsAlways" doc:"Whether messages that mention the caller by name come through pauses, quiet hours and a status that asks not to be disturbed"`
	Show           string     `json:"show" enum:"text,sender,none" doc:"What a notification shows, also on a locked screen: the text, or only who wrote in which room, or only that there is a message"`
}

// QuietBody are quiet hours. It is exported for huma, like RoomPath.
type QuietBody struct {
	Zone string `json:"zone,omitempty" maxLength:"64" doc:"The IANA time zone of the hours, at most 64 bytes" example:"Europe/Berlin"`
	From string `json:"from,omitempty" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"When they begin, by the clock of the zone" example:"22:00"`
	To   string `json:"to,omitempty" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"When they end; on the next day, unless it is after from" example:"07:00"`
	Days []int  `json:"days,omitempty" nullable:"false" maxItems:"7" uniqueItems:"true" doc:"The days on which they begin: 1 is Monday, 7 is Sunday. Default: every day" example:"[1,2,3,4,5]"`
}

func notificationsOf(s notify.Settings) notificationsBody {
	level := s.Level
	if level == notify.Unset {
		level = notify.Direct
	}
	b := notificationsBody{
		Level: level.String(), PausedUntil: wire.OptionalTimeText(s.PausedUntil), MentionsAlways: s.MentionsAlways,
		Show: s.Show.String(),
	}
	if q := s.Quiet; q != (notify.QuietHours{}) {
		b.Quiet = &QuietBody{Zone: q.Zone, From: clockText(q.From), To: clockText(q.To)}
		for day := 1; day <= 7; day++ {
			if q.Days.Contains(time.Weekday(day % 7)) {
				b.Quiet.Days = append(b.Quiet.Days, day)
			}
		}
	}
	return b
}

// clockText returns minutes after midnight as on a clock.
func clockText(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }

// hours returns the quiet hours that a request gives; {} are none.
func (b QuietBody) hours() (q notify.QuietHours, err error) {
	if b.Zone == "" && b.From == "" && b.To == "" && b.Days == nil {
		return q, nil
	}
	q.Zone = b.Zone
	if q.From, err = parseClock("quiet.from", b.From); err != nil {
		return q, err
	}
	if q.To, err = parseClock("quiet.to", b.To); err != nil {
		return q, err
	}
	for i, day := range b.Days {
		if day < 1 || day > 7 {
			return q, chat.Invalidf(fmt.Sprintf("quiet.days[%d]", i), "must be 1, Monday, to 7, Sunday")
		}
		q.Days = q.Days.With(time.Weekday(day % 7))
	}
	if b.Days == nil {
		q.Days = notify.EveryDay
	}
	return q, nil
}

// parseClock parses a time of a day, and returns the minutes after midnight.
func parseClock(field, text string) (int, error) {
	t, err := time.Parse("15:04", text)
	if err != nil {
		return 0, chat.Invalidf(field, "must be 00:00 to 23:59")
	}
	return t.Hour()*60 + t.Minute(), nil
}

type notificationsOutput struct {
	Body notificationsBody `nameHint:"NotificationSettings"`
}

func getNotificationsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "get-notifications", Method: http.MethodGet, Path: "/people/me/notifications",
		Summary: "Get your settings of notifications",
		Description: "What the caller has chosen for notifications on all devices. A change of the last second may " +
			"be missing. It costs half a read unit. docs/notifications.md says what decides about a message.",
		Tags: []string{"people"},
	}, getNotifications)
}

func getNotifications(ctx context.Context, s *server, caller chat.UserID, _ *struct{}) (*notificationsOutput, error) {
	settings, err := s.service.Notify.Settings(ctx, caller)
	return &notificationsOutput{notificationsOf(settings)}, err
}

type patchNotificationsInput struct {
	Body struct {
		Level          string     `json:"level,omitempty" enum:"all,direct,mentions,none" doc:"Of which messages the caller is notified, in rooms without a level of their own; see put-preferences"`
		PausedUntil    *string    `json:"pausedUntil,omitempty" format:"date-time" doc:"There are no notifications until then; a time in the past ends a pause" example:"2018-08-29T13:00:00.000Z"`
		Quiet          *QuietBody `json:"quiet,omitempty" doc:"Replaces the quiet hours. {} removes them"`
		MentionsAlways *bool      `json:"mentionsAlways,omitempty" doc:"Whether messages that mention the caller by name come through"`
		Show           string     `json:"show,omitempty" enum:"text,sender,none" doc:"What a notification shows"`
	} `nameHint:"NotificationChange"`
}

func patchNotificationsOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "patch-notifications", Method: http.MethodPatch, Path: "/people/me/notifications",
		Summary: "Change your settings of notifications",
		Description: "Changes the given values, and keeps the others. The caller's connections get " +
			"notifications.changed. Nobody else sees the settings, except a service that acts for the caller.",
		Tags: []string{"people"},
	}, patchNotifications)
}

func patchNotifications(
	ctx context.Context, s *server, caller chat.UserID, in *patchNotificationsInput,
) (*notificationsOutput, error) {
	c := notify.Change{MentionsAlways: in.Body.MentionsAlways}
	if level, _ := notify.ParseLevel(in.Body.Level); level != notify.Unset { // the schema has the names
		c.Level = &level
	}
	if show, ok := notify.ParseShow(in.Body.Show); ok {
		c.Show = &show
	}
	if text := in.Body.PausedUntil; text != nil {
		until, err := parseTime("pausedUntil", *text)
		if err != nil {
			return nil, err
		}
		until = chat.ServerTime(until)
		c.PausedUntil = &until
	}
	if in.Body.Quiet != nil {
		quiet, err := in.Body.Quiet.hours()
		if err != nil {
			return nil, err
		}
		c.Quiet = &quiet
	}
	settings, err := s.service.Notify.Change(ctx, caller, c)
	return &notificationsOutput{notificationsOf(settings)}, err
}

// preferencesBody is what a person prefers about a room, in a response.
type preferencesBody struct {
	Favorite   bool   `json:"favorite" doc:"Whether the room is one of the caller's favorites"`
	Muted      bool   `json:"muted" doc:"Whether only mentions in the room count in unreadTotal: the level is mentions or none"`
	Level      string `json:"level,omitempty" enum:"all,direct,mentions,none" doc:"Of which messages of the room the caller is notified; absent if their own level applies"`
	LevelUntil string `json:"levelUntil,omitempty" format:"date-time" doc:"The end of level, after which the caller's own applies; absent without one"`
}

type putPreferencesInput struct {
	User string `path:"user" format:"user-id" maxLength:"64" doc:"me, or the caller's user id" example:"me"`
	RoomPath
	Body struct {
		Favorite   bool    `json:"favorite,omitzero" doc:"Default: false"`
		Muted      bool    `json:"muted,omitzero" doc:"Without a level, true stands for the level mentions. Default: false"`
		Level      string  `json:"level,omitempty" enum:"all,direct,mentions,none" doc:"all: every message that the room lists; direct: messages in direct rooms, replies in followed threads, and mentions; mentions: mentions of the caller or of everyone; none: nothing. Each includes the messages of the next one. Default: the caller's level for all rooms (get-notifications)"`
		LevelUntil *string `json:"levelUntil,omitempty" format:"date-time" doc:"The end of level, in the future"`
	} `nameHint:"PreferencesDraft"`
}

type putPreferencesOutput struct {
	Body preferencesBody `nameHint:"Preferences"`
}

func putPreferencesOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-preferences", Method: http.MethodPut, Path: "/people/{user}/rooms/{room}",
		Summary: "Set what you prefer about a room",
		Description: "Replaces the caller's preferences about a room that they are in, a direct or archived one too. " +
			"An absent field gets its default. Nobody else can see the preferences, not even a service that lists " +
			"the person's rooms. The caller's connections get preferences.changed. Preferences remain when the " +
			"person leaves the room, and apply again when they return. Only the person, or a service that acts for " +
			"the person, may set them. 404 (not-found) also for a room that the caller is not in.",
		Tags:   []string{"people"},
		Errors: []int{http.StatusNotFound},
	}, putPreferences)
}

func putPreferences(
	ctx context.Context, s *server, caller chat.UserID, in *putPreferencesInput,
) (*putPreferencesOutput, error) {
	user, err := userOrMe(in.User, caller)
	if err != nil {
		return nil, err
	}
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	p := inbox.Preferences{Favorite: in.Body.Favorite}
	p.Level.Level, _ = notify.ParseLevel(in.Body.Level) // the schema has the names
	if p.Level.Level == notify.Unset && in.Body.Muted {
		p.Level.Level = notify.Mentions
	}
	if until := in.Body.LevelUntil; until != nil {
		if p.Level.Level == notify.Unset {
			return nil, chat.Invalidf("levelUntil", "must come with a level")
		}
		at, err := parseTime("levelUntil", *until)
		if err != nil {
			return nil, err
		}
		p.Level.Until = chat.ServerTime(at)
	}
	if err := s.service.Inbox.SetPreferences(ctx, caller, user, room, p); err != nil {
		return nil, err
	}
	return &putPreferencesOutput{preferencesBody{
		Favorite: p.Favorite, Muted: p.Level.Muted(), Level: p.Level.Level.String(),
		LevelUntil: wire.OptionalTimeText(p.Level.Until),
	}}, nil
}
