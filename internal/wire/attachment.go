package wire

import (
	"encoding/base64"

	"example.com/parley/internal/chat"
)

// Attachment is a file of a message as the API shows it.
type Attachment struct {
	ID          string `json:"id" format:"uuid" doc:"The id of the upload. post-links returns the address of its bytes" example:"01890a5d-ac96-774b-bcce-b302099a8058"`
	Name        string `json:"name" doc:"The file's name" example:"plan.png"`
	Type        string `json:"type" doc:"The media type that the sender stated" example:"image/png"`
	Bytes       int64  `json:"bytes" minimum:"1" doc:"The size" example:"48213"`
	Width       int    `json:"width,omitzero" doc:"Of a picture or video: the width in pixels" example:"1280"`
	Height      int    `json:"height,omitzero" doc:"Of a picture or video: the height in pixels" example:"720"`
	Placeholder string `json:"placeholder,omitempty" doc:"A ThumbHash in base64, which is shown until the picture is loaded" example:"3OcRJYB4d3h/iIeHeEh3eIhw+j2w"`
	Alt         string `json:"alt,omitempty" doc:"Describes it to people who cannot see it" example:"The plan of the ground floor"`
	Preview     bool   `json:"preview,omitzero" doc:"It has a smaller picture"`
}

// AttachmentOf returns the form of an attachment.
func AttachmentOf(a chat.Attachment) Attachment {
	return Attachment{
		ID: a.ID.String(), Name: a.Name, Type: a.Type, Bytes: a.Bytes, Width: a.Width, Height: a.Height,
		Placeholder: base64.StdEncoding.EncodeToString(a.Placeholder), Alt: a.Alt, Preview: a.Preview,
	}
}

// attachmentsOf returns the form of a message's attachments.
func attachmentsOf(m chat.Message) []Attachment {
	if m.Deleted() {
		return nil
	}
	var all []Attachment
	for _, a := range m.Attachments {
		all = append(all, AttachmentOf(a))
	}
	return all
}
