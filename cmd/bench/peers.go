package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"example.com/parley/internal/measure"
)

// peerPrograms are the peers' programs: Tinode's source, and what Debian's packages install.
func peerPrograms() measure.PeerPrograms {
	return measure.PeerPrograms{
		Tinode:   os.Getenv("TINODE"),
		Postgres: cmp.Or(os.Getenv("POSTGRES"), "/usr/lib/postgresql/15/bin"),
		Prosody:  cmp.Or(os.Getenv("PROSODY"), "prosody"),
	}
}

// peers prints the table of Parley and other chat servers.
func peers(ctx context.Context, scale measure.Scale) error {
	rows, err := measure.Peers(ctx, peerPrograms(), scale)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return errors.Join(err, w.Flush())
}
