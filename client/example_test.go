package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"example.com/parley/client"
)

// A bot that answers "ping" in all rooms of its user.
func ExampleClient_Follow() {
	ctx := context.Background()
	c, err := client.New("https://chat.example.com", client.Fixed(os.Getenv("PARLEY_TOKEN")), nil)
	if err != nil {
		log.Fatal(err)
	}
	sender := &client.Sender{Client: c}
	err = c.Follow(ctx, client.Following{Handle: func(n client.News) error {
		for _, change := range n.Changes {
			if change.Type != "message.created" || change.Message == nil || change.Message.Text != "ping" {
				continue
			}
			if _, err := sender.Post(ctx, n.Room, "pong"); err != nil {
				return err
			}
		}
		return nil
	}})
	var refused *client.Refusal
	if errors.As(err, &refused) {
		fmt.Println(refused.Status, refused.Detail)
	}
}
