package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/wire"
)

type postPictureInput struct {
	Body BytesGiven
}

type postPictureOutput struct {
	Body struct {
		Put       linkBody `json:"put" doc:"How to send the picture"`
		ExpiresAt string   `json:"expiresAt" format:"date-time" doc:"When the link expires: in 15 minutes"`
	} `nameHint:"PictureUpload"`
}

func postPictureOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "post-picture", Method: http.MethodPost, Path: "/people/me/picture",
		Summary: "Announce a picture of yourself",
		Description: "WebP, JPEG or PNG, of at most 64 KB, without data about the place and the camera. The answer " +
			"says how the client sends the bytes: by PUT, with exactly the given headers. Storage then refuses other " +
			"bytes, another size or type (400, 403), and a second picture (412). The picture is shown once " +
			"patch-person has set picture to its SHA-256, which removes the former one. A new announcement removes a " +
			"picture that was sent before and not set. 409 when the deployment stores no files.",
		Tags:   []string{"people"},
		Errors: []int{http.StatusConflict},
	}, postPicture)
}

func postPicture(ctx context.Context, s *server, caller chat.UserID, in *postPictureInput) (*postPictureOutput, error) {
	f, err := in.Body.file("")
	if err != nil {
		return nil, err
	}
	link, until, err := s.service.Pictures.Send(ctx, caller, f)
	if err != nil {
		return nil, err
	}
	out := &postPictureOutput{}
	out.Body.Put, out.Body.ExpiresAt = linkOf(link), wire.TimeText(until)
	return out, nil
}
