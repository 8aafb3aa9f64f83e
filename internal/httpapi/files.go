package httpapi

import (
	"context"
	"encoding/base64"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"example.com/parley/internal/attachment"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/wire"
)

// BytesGiven describes the bytes of a file that a client is about to send. It is exported for huma.
type BytesGiven struct {
	Type   string `json:"type" maxLength:"80" doc:"The media type, without parameters, in lower case, at most 80 bytes" example:"image/png"`
	Bytes  int64  `json:"bytes" minimum:"1" doc:"The exact size" example:"48213"`
	SHA256 string `json:"sha256" doc:"The SHA-256 of the bytes, in base64" example:"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="`
}

// file returns the description, with the path of the field of a wrong checksum.
func (g BytesGiven) file(prefix string) (f bucket.File, err error) {
	sum, err := base64.StdEncoding.DecodeString(g.SHA256)
	if err != nil || len(sum) != len(f.SHA256) {
		return f, chat.Invalidf(prefix+"sha256", "must be %d bytes in base64", len(f.SHA256))
	}
	f.Type, f.Bytes = g.Type, g.Bytes
	copy(f.SHA256[:], sum)
	return f, nil
}

type postUploadInput struct {
	RoomPath
	Body struct {
		ID   string `json:"id" format:"uuidv7" doc:"A UUIDv7, generated once for the file. A retry with the same id and content returns new links" example:"01890a5d-ac96-774b-bcce-b302099a8058"`
		Name string `json:"name" minLength:"1" maxLength:"120" doc:"The file's name: 1 to 120 bytes of UTF-8, without / and \\, control characters and marks of direction" example:"plan.png"`
		BytesGiven
		Width       int         `json:"width,omitzero" minimum:"1" maximum:"65536" doc:"Of a picture or video: the width in pixels, with the height"`
		Height      int         `json:"height,omitzero" minimum:"1" maximum:"65536" doc:"Of a picture or video: the height in pixels"`
		Placeholder string      `json:"placeholder,omitempty" doc:"A ThumbHash of at most 40 bytes, in base64"`
		Alt         string      `json:"alt,omitempty" maxLength:"500" doc:"Describes the file to people who cannot see it: at most 500 bytes" example:"The plan of the ground floor"`
		Preview     *BytesGiven `json:"preview,omitempty" doc:"A smaller picture, WebP, JPEG or PNG, of at most 64 KB, without data about the place and the camera"`
	}
}

// linkBody is a request that a client sends, with exactly these headers and the bytes.
type linkBody struct {
	URL     string            `json:"url" doc:"The address, which may be relative to the API's. PUT the bytes there, without a token" example:"https://files.example.com/seattle/amsg/01890a5d-ac96-774b-bcce-b302099a8058?X-Amz-Signature=…"`
	Headers map[string]string `json:"headers" doc:"The headers to send" example:"{\"if-none-match\":\"*\"}"`
}

func linkOf(l bucket.Link) linkBody { return linkBody{l.URL, l.Headers} }

type postUploadOutput struct {
	Status int
	Replay string `header:"Idempotent-Replay" doc:"true for a retry of an upload that exists"`
	Body   struct {
		ID        string    `json:"id" doc:"The id of the upload, for attachments of post-message" example:"01890a5d-ac96-774b-bcce-b302099a8058"`
		Put       linkBody  `json:"put" doc:"How to send the file"`
		Preview   *linkBody `json:"preview,omitempty" doc:"How to send the preview, if one was announced"`
		ExpiresAt string    `json:"expiresAt" format:"date-time" doc:"When the links expire: in 15 minutes"`
	} `nameHint:"Upload"`
}

func postUploadOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "post-upload", Method: http.MethodPost, Path: "/rooms/{room}/uploads",
		Summary: "Announce a file",
		Description: "For everyone who may post in the room. The answer says how the client sends the bytes: by PUT, " +
			"with exactly the given headers. Storage then refuses other bytes, another size or type (400, 403), and " +
			"a second file (412, which means that a retry's first attempt arrived). A file waits 47 hours for its " +
			"message. Without one it is removed, and its id is refused for up to two days: 412, and 422 for the " +
			"message. 422 names the field that breaks a rule or a limit, before any byte is sent. 429 when the " +
			"caller has reached the day's limit. 409 when the id was used for another file, and when the deployment " +
			"stores no files.",
		Tags:          []string{"files"},
		Errors:        []int{http.StatusNotFound, http.StatusConflict},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "A retry: new links of the same upload"}},
	}, postUpload)
}

func postUpload(ctx context.Context, s *server, caller chat.UserID, in *postUploadInput) (*postUploadOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	d, err := in.draft()
	if err != nil {
		return nil, err
	}
	created, replay, err := s.service.Files.Create(ctx, caller, room, d)
	if err != nil {
		return nil, err
	}
	out := &postUploadOutput{Status: http.StatusCreated}
	out.Body.ID, out.Body.Put, out.Body.ExpiresAt = created.ID.String(), linkOf(created.Put),
		wire.TimeText(created.Until)
	if created.Preview != nil {
		out.Body.Preview = new(linkOf(*created.Preview))
	}
	if replay {
		out.Status, out.Replay = http.StatusOK, "true"
	}
	return out, nil
}

// draft parses the body.
func (in *postUploadInput) draft() (d attachment.Draft, err error) {
	b := in.Body
	if d.ID, err = chat.ParseUUID(b.ID); err != nil {
		return d, err
	}
	f, err := b.file("")
	if err != nil {
		return d, err
	}
	d.Sum = f.SHA256
	d.File = chat.Attachment{Name: b.Name, Type: f.Type, Bytes: f.Bytes, Width: b.Width, Height: b.Height, Alt: b.Alt}
	if d.File.Placeholder, err = base64.StdEncoding.DecodeString(b.Placeholder); err != nil {
		return d, chat.Invalidf("placeholder", "must be base64")
	}
	if b.Preview != nil {
		preview, err := b.Preview.file("preview.")
		if err != nil {
			return d, err
		}
		d.Preview = &preview
	}
	return d, nil
}

// uploadIDs parses the attachments of a message.
func uploadIDs(texts []string) (ids []uuid.UUID, err error) {
	for i, text := range texts {
		id, err := chat.ParseUUID(text)
		if err != nil {
			return nil, chat.InField("attachments["+strconv.Itoa(i)+"]", err)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

type postLinksInput struct {
	RoomPath
	Body struct {
		Messages []string `json:"messages" format:"message-id" nullable:"false" minItems:"1" maxItems:"50" doc:"The ids of messages of the room"`
		Download bool     `json:"download,omitzero" doc:"Browsers save the files under their names instead of showing them"`
	}
}

// fileLinkBody has the addresses of a file as the API shows them.
type fileLinkBody struct {
	Message   string `json:"message" doc:"The message that has the file" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
	ID        string `json:"id" doc:"The attachment's id" example:"01890a5d-ac96-774b-bcce-b302099a8058"`
	URL       string `json:"url" doc:"The address of the file, which may be relative to the API's. Send no token there" example:"https://files.example.com/seattle/amsg/01890a5d-ac96-774b-bcce-b302099a8058?X-Amz-Signature=…"`
	Preview   string `json:"preview,omitempty" doc:"The address of the smaller picture"`
	ExpiresAt string `json:"expiresAt" format:"date-time" doc:"When the addresses expire: in 3 to 5 minutes"`
}

type postLinksOutput struct {
	Body struct {
		Items []fileLinkBody `json:"items" nullable:"false" doc:"A link for each file, in the order of the messages"`
	} `nameHint:"FileLinks"`
}

func postLinksOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "post-links", Method: http.MethodPost, Path: "/rooms/{room}/attachments/links",
		Summary: "Get links to files",
		Description: "The addresses of the files of up to 50 messages, which may have 400 files together. Messages " +
			"that do not exist or are deleted have none. For two minutes the same address is returned, so that " +
			"browsers cache the file. Files that a browser could run are sent as downloads.",
		Tags:   []string{"files"},
		Errors: []int{http.StatusNotFound},
	}, postLinks)
}

func postLinks(ctx context.Context, s *server, caller chat.UserID, in *postLinksInput) (*postLinksOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	ids := make([]chat.MessageID, len(in.Body.Messages))
	for i, text := range in.Body.Messages {
		if ids[i], err = chat.ParseMessageID(text); err != nil {
			return nil, chat.InField("messages["+strconv.Itoa(i)+"]", err)
		}
	}
	links, err := s.service.Files.Links(
		ctx, caller, room, attachment.LinkQuery{Messages: ids, Download: in.Body.Download},
	)
	if err != nil {
		return nil, err
	}
	out := &postLinksOutput{}
	out.Body.Items = each(links, func(l attachment.Link) fileLinkBody {
		return fileLinkBody{l.Message.String(), l.ID.String(), l.URL, l.Preview, wire.TimeText(l.Until)}
	})
	return out, nil
}

type listFilesInput struct {
	RoomPath
	PageQuery
}

// fileBody is a file of a room as the API shows it.
type fileBody struct {
	Message    string          `json:"message" doc:"The message that has the file" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
	User       string          `json:"user" doc:"The sender" example:"amsg"`
	SentAt     string          `json:"sentAt" format:"date-time" doc:"When the message was sent"`
	Attachment wire.Attachment `json:"attachment"`
}

type listFilesOutput struct {
	Body struct {
		Items []fileBody `json:"items" doc:"The last uploaded file first"`
		Next  string     `json:"next,omitempty" doc:"The cursor of the next page; absent on the last page"`
	} `nameHint:"FilePage"`
}

func listFilesOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-files", Method: http.MethodGet, Path: "/rooms/{room}/attachments",
		Summary: "List the files of a room",
		Description: "Sorted by upload, newest first. A page may hold fewer than limit: the list ends where next is " +
			"absent.",
		Tags:   []string{"files"},
		Errors: []int{http.StatusNotFound},
	}, listFiles)
}

func listFiles(ctx context.Context, s *server, caller chat.UserID, in *listFilesInput) (*listFilesOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	page, err := s.service.Files.Files(ctx, caller, room, in.page())
	if err != nil {
		return nil, err
	}
	out := &listFilesOutput{}
	out.Body.Items, out.Body.Next = make([]fileBody, 0, len(page.Items)), page.Next
	for _, f := range page.Items {
		out.Body.Items = append(out.Body.Items, fileBody{
			Message: f.Message.String(), User: string(f.Message.User), SentAt: wire.TimeText(f.Message.SentAt()),
			Attachment: wire.AttachmentOf(f.Attachment),
		})
	}
	return out, nil
}
