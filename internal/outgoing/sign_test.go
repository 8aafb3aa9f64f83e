package outgoing_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"example.com/parley/internal/outgoing"
)

// TestSign_KnownSignature has the secret, body and signature that the public libraries are tested
// with.
func TestSign_KnownSignature(t *testing.T) {
	secret, err := outgoing.ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	got := outgoing.Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`), secret)
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("the signature is %s, want %s", got, want)
	}
}

// TestSignedHeader_PublicLibrary verifies requests with the library that receivers in Go use.
func TestSignedHeader_PublicLibrary(t *testing.T) {
	old, err := outgoing.NewSecret(strings.NewReader(strings.Repeat("old secret", 10)))
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := outgoing.NewSecret(strings.NewReader(strings.Repeat("new secret", 10)))
	if err != nil {
		t.Fatal(err)
	}
	body := []byte(`{"type": "changes", "text": "100 % ✓"}`)
	header := outgoing.SignedHeader("msg_1", time.Now(), body, old, fresh)
	for name, secret := range map[string][]byte{"old": old, "new": fresh} {
		receiver, err := standardwebhooks.NewWebhook(outgoing.FormatSecret(secret))
		if err != nil {
			t.Fatal(err)
		}
		if err := receiver.Verify(body, header); err != nil {
			t.Errorf("with the %s secret: %v", name, err)
		}
		if err := receiver.Verify(append(bytes.Clone(body), ' '), header); !errors.Is(err, standardwebhooks.ErrNoMatchingSignature) {
			t.Errorf("another body with the %s secret: %v", name, err)
		}
	}
	if header.Get("Content-Type") != "application/json" {
		t.Errorf("the header is %v", header)
	}
}

func TestParseSecret(t *testing.T) {
	for n, ok := range map[int]bool{0: false, 23: false, 24: true, 32: true, 64: true, 65: false} {
		secret := bytes.Repeat([]byte{0xfb}, n)
		got, err := outgoing.ParseSecret(outgoing.FormatSecret(secret))
		if (err == nil) != ok || ok && !bytes.Equal(got, secret) {
			t.Errorf("%d bytes: %x, %v", n, got, err)
		}
	}
	for _, text := range []string{"", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS", "whsec_-fKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"} {
		if _, err := outgoing.ParseSecret(text); err == nil || text != "" && strings.Contains(err.Error(), "LaLaS") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestNewSecret(t *testing.T) {
	if secret, err := outgoing.NewSecret(strings.NewReader(strings.Repeat("a", 32))); err != nil || string(secret) != strings.Repeat("a", 32) {
		t.Errorf("the secret is %q, %v", secret, err)
	}
	if _, err := outgoing.NewSecret(strings.NewReader("short")); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("with too little randomness: %v", err)
	}
}
