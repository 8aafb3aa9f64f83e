package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/measure"
)

// depths prints the table of sequential calls, next to the goals for a warm process.
func depths(ctx context.Context, scale measure.Scale) error {
	var all []measure.Depth
	err := withTable(ctx, engine.Config{}, func(db *dynamodb.Client) (err error) {
		all, err = measure.New(db, benchTable, scale).Depths(ctx)
		return err
	})
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "sequential calls, and units\tcold\t3 s later\twarm\tgoal, warm")
	for _, d := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\n", d.Name, depthText(d.Cold), depthText(d.Later), depthText(d.Warm), d.Goal)
	}
	return w.Flush()
}

func depthText(o measure.Operation) string {
	if o.Writes == 0 {
		return fmt.Sprintf("%d (%.1f R)", o.Steps, o.Reads)
	}
	return fmt.Sprintf("%d (%.1f R, %.1f W)", o.Steps, o.Reads, o.Writes)
}
