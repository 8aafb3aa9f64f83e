// Package demo fills an empty store with a week of a made-up team, for people who try Parley. The
// week is text in the folder week; its README describes the form.
package demo

import (
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
)

// Visitor is the person as whom a visitor looks around, and Companion the second one, for another
// window.
const (
	Visitor   = "mira"
	Companion = "kofi"
)

// Week is the week of a team.
type Week struct {
	People []Person
	Rooms  []Room
}

// Person is a member of the team.
type Person struct {
	User   chat.UserID
	Name   string
	Title  string
	Status people.Status
}

// Room is a room with its messages and documents.
type Room struct {
	File      string // its name in the folder; the id of a public room
	Name      string
	Topic     string
	Private   bool
	Direct    bool
	Members   []chat.UserID // the first one creates it
	Favorite  []chat.UserID // it is a favorite of these members
	Messages  []Message     // replies follow the root of their thread
	Documents []Document
}

// Message is a message with everything that happened to it.
type Message struct {
	Line       int // in the file
	At         Moment
	By         chat.UserID
	Text       string // names people as @user
	Reply      bool   // to the last message before it that is no reply
	ShowInRoom bool
	Quotes     chat.UserID // whose last message before it it quotes; empty if it quotes none
	Files      []File
	Edits      []Edit
	Reactions  []Reaction
	Poll       []Option // empty unless the message is a poll
	Several    bool     // the poll allows several choices
	PinnedBy   chat.UserID
	SavedBy    []chat.UserID
	// ReadBy have read the room or the thread up to this message. Others have read all of it.
	ReadBy []chat.UserID
	// DeletedAt is when its author deleted it; nil if it exists.
	DeletedAt *Moment
}

// Edit is a later text of a message.
type Edit struct {
	At   Moment
	Text string
}

// Reaction is an emoji with the people who reacted with it.
type Reaction struct {
	Emoji string
	By    []chat.UserID
}

// Option is an option of a poll with its voters.
type Option struct {
	Text string
	By   []chat.UserID
}

// Document is a document of a room.
type Document struct {
	ID    string
	Title string
	Saves []Save // the first one creates it
}

// Save is a version of a part of a document.
type Save struct {
	At   Moment
	By   chat.UserID
	Part string
	Text string
}

// Moment is a time of the week: a time of day so many working days ago, or a time ago.
type Moment struct {
	Days int           // working days ago; 0 means that Time is a time ago
	Time time.Duration // since midnight, or before now
}

// on returns m as a time, for a given present and in its time zone.
func (m Moment) on(now time.Time) time.Time {
	if m.Days == 0 {
		return now.Add(-m.Time)
	}
	day := workday(now, -m.Days)
	return time.Date(day.Year(), day.Month(), day.Day(), 0, int(m.Time.Minutes()), 0, 0, day.Location())
}

// workday returns the day that is n working days after a day, or -n before it. Nobody of the team
// works on Saturdays and Sundays.
func workday(day time.Time, n int) time.Time {
	step := 1
	if n < 0 {
		step = -1
	}
	for n != 0 {
		day = day.AddDate(0, 0, step)
		if w := day.Weekday(); w != time.Saturday && w != time.Sunday {
			n -= step
		}
	}
	return day
}
