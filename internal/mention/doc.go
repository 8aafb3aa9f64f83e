// Package mention finds the people whom messages mention. The feed function writes a row for each
// mention by a projection, and the service lists a person's rows across rooms. Only people who
// could read the room when they were mentioned have a row. Only people who can read it now see the
// message.
package mention
