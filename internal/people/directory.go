package people

import "example.com/parley/internal/chat"

// Directory selects who may list people and search for them. Everyone may read the people whose
// ids they know.
type Directory int

// The directories. Titles, states and days of hiring are shown to others only if the directory is
// for everyone.
const (
	ForEveryone Directory = iota
	ForServices           // only services list and search, and only by name
	ForNobody
)

// mayList returns a Forbidden error unless the directory admits a query.
func (d Directory) mayList(q Query) error {
	switch {
	case d == ForEveryone:
		return nil
	case d == ForNobody || !q.Service:
		return &chat.Error{
			Kind:   chat.Forbidden,
			Detail: "this deployment does not let you list people or search for them; read people by their ids",
		}
	case q.Title != "" || q.FormerTitle != "" || q.State != "":
		return &chat.Error{Kind: chat.Forbidden, Detail: "this deployment lets services search for people by name only"}
	}
	return nil
}

// shown returns a person as the directory shows them to others. The revision is hidden with the
// facts whose changes it would reveal.
func (d Directory) shown(p Person) Person {
	if d == ForEveryone {
		return p
	}
	return Person{
		User: p.User, Name: p.Name, Avatar: p.Avatar, Picture: p.Picture, PictureID: p.PictureID, Status: p.Status,
		Metadata: p.Metadata, Bot: p.Bot,
	}
}
