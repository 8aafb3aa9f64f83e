import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { placeOfZone, timeIn } from "../src/people/local-time.js";
import { endOfStatus, ends } from "../src/people/status-ends.js";

describe("the end of a status", () => {
  const at = (choice: string, now: Date) => endOfStatus(choice, now)?.getTime();

  it("is by the local clock", () => {
    const now = new Date(2026, 10, 26, 23, 50); // a Thursday
    assert.equal(at("30m", now), new Date(2026, 10, 27, 0, 20).getTime());
    assert.equal(at("1h", now), new Date(2026, 10, 27, 0, 50).getTime());
    assert.equal(at("today", now), new Date(2026, 10, 27).getTime());
    assert.equal(at("tomorrow", now), new Date(2026, 10, 27, 9).getTime());
    assert.equal(at("week", now), new Date(2026, 10, 30).getTime());
    assert.equal(at("", now), undefined);
  });

  it("is after now, on the first and the last day of a week too", () => {
    for (const day of [22, 23, 29]) {
      const now = new Date(2026, 10, day, 12);
      for (const { value } of ends) if (value) assert.ok(at(value, now)! > now.getTime(), `${value} on ${day}`);
    }
    assert.equal(at("week", new Date(2026, 10, 23, 0)), new Date(2026, 10, 30).getTime());
  });
});

describe("the time where a person is", () => {
  const now = Date.UTC(2026, 10, 26, 20, 5);

  it("has the day of the week", () => {
    assert.match(timeIn("Asia/Tokyo", now), /^Fri 0?5:05/);
    assert.match(timeIn("America/New_York", now), /^Thu (15:05|3:05.PM)$/);
    assert.equal(placeOfZone("America/New_York"), "New York");
  });

  it("is empty where it is not known", () => {
    for (const zone of [undefined, "", 5, "Mars/Olympus", "<b>"]) assert.equal(timeIn(zone, now), "");
  });
});
