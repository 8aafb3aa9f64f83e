package doctor

import (
	"context"
	"encoding/xml"
	"strings"

	"example.com/parley/infra/config"
)

// Plan is a planned deployment, and the stack that it would update.
type Plan struct {
	Config  config.Config // for the Region
	Account string
	Region  string
	Stack   Stack
}

// Stack is a stack of CloudFormation. The zero value is a stack that does not exist.
type Stack struct {
	Name    string
	Status  string
	Outputs map[string]string
	// Unread reports that the stack could not be read but may exist.
	Unread bool
}

// exists reports whether CloudFormation has the stack, with or without resources.
func (s Stack) exists() bool { return s.Status != "" }

// readStack reads a stack. For an unknown name, CloudFormation responds with an error without a
// specific code.
func readStack(ctx context.Context, a account, name string) (Stack, error) {
	var out struct {
		Stacks []struct {
			StackStatus string
			Outputs     []struct{ OutputKey, OutputValue string } `xml:"Outputs>member"`
		} `xml:"DescribeStacksResult>Stacks>member"`
	}
	err := a.call(ctx, cloudFormation(a, "DescribeStacks", map[string]string{"StackName": name}), &out)
	if codeOf(err) == "ValidationError" && strings.Contains(err.Error(), "does not exist") {
		return Stack{Name: name}, nil
	}
	s := Stack{Name: name, Outputs: map[string]string{}}
	for _, found := range out.Stacks {
		s.Status = found.StackStatus
		for _, o := range found.Outputs {
			s.Outputs[o.OutputKey] = o.OutputValue
		}
	}
	return s, err
}

func cloudFormation(a account, operation string, in map[string]string) request {
	return queryCall("cloudformation", a.cfg.Region, "2010-05-15", operation, in)
}

// readResources returns the physical ids of the stack's resources by their logical ids.
func readResources(ctx context.Context, a account, name string) (map[string]string, error) {
	ids := map[string]string{}
	for next := ""; ; {
		var out struct {
			XMLName   xml.Name
			Resources []struct {
				Logical  string `xml:"LogicalResourceId"`
				Physical string `xml:"PhysicalResourceId"`
			} `xml:"ListStackResourcesResult>StackResourceSummaries>member"`
			Next string `xml:"ListStackResourcesResult>NextToken"`
		}
		in := map[string]string{"StackName": name}
		if next != "" {
			in["NextToken"] = next
		}
		if err := a.call(ctx, cloudFormation(a, "ListStackResources", in), &out); err != nil {
			return nil, err
		}
		for _, r := range out.Resources {
			ids[r.Logical] = r.Physical
		}
		if next = out.Next; next == "" {
			return ids, nil
		}
	}
}

// judgeStack checks whether CloudFormation would start a deployment.
func judgeStack(s Stack, protected bool) Finding {
	const guide = `docs/deploy.md, "When a deploy fails"`
	switch {
	case !s.exists() || s.Status == "REVIEW_IN_PROGRESS":
		return ok("%s does not exist yet", s.Name)
	case strings.HasSuffix(s.Status, "_IN_PROGRESS"):
		return blocker("wait until it has ended", "another deployment of %s runs (%s)", s.Name, s.Status)
	case s.Status == "ROLLBACK_COMPLETE" && protected:
		return blocker(
			"end its termination protection: "+guide,
			"the first deployment of %s failed, and the next one must delete it", s.Name,
		)
	case s.Status == "ROLLBACK_COMPLETE":
		return note("", "the first deployment of %s failed; the next one deletes it first", s.Name)
	case strings.HasSuffix(s.Status, "_FAILED"):
		return blocker(guide, "%s is in %s, from which CloudFormation updates nothing", s.Name, s.Status)
	case s.Status == "UPDATE_ROLLBACK_COMPLETE":
		return note("", "the last deployment of %s failed and was rolled back", s.Name)
	}
	return ok("%s is deployed (%s)", s.Name, s.Status)
}
