// People: their pictures, profiles and statuses, who is online, and the members of a room.
import { clean } from "./axe.mjs";
import { PHONE, calm, expect, suite } from "./fixtures.mjs";

/** The only host whose pictures the page shows. */
const HOST = "pictures.example";

const test = suite({ flags: ["--avatar-host", HOST] });
test.use(calm);

const dialog = (person, name) => person.page.getByRole("dialog", { name });

/** A picture of one pixel. */
const PICTURE = { contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>' };

test.describe("pictures", () => {
  const users = ["pat", "lost", "fake", "slow"];

  /** Answers as a host of pictures does on a bad day: one picture never comes. */
  const answer = route => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/pat.png") return route.fulfill(PICTURE);
    if (pathname === "/fake.png") return route.fulfill({ ...PICTURE, body: "no picture" });
    return pathname === "/slow.png" ? undefined : route.fulfill({ status: 404 });
  };

  test("that fail, are none, or never come leave the initials in every place", async ({ cast, server }) => {
    await server.room("faces", "ann", users);
    for (const user of users) {
      await server.api(user, "PUT", "/people/me", { name: `${user} Doe`, avatar: `https://${HOST}/${user}.png` });
      await server.post(user, "faces", `from ${user}`);
      await server.api("ann", "POST", "/rooms", { direct: [user] });
    }
    const ann = await cast.enter("ann", { room: "faces", prepare: page => page.route(/^https:/, answer) });
    ann.allow(/status of 404/);
    const places = {
      message: user => ann.row(`from ${user}`),
      "direct room": user => ann.nav.getByRole("link", { name: new RegExp(`^${user} Doe`) }),
      member: user => ann.panel.getByRole("listitem").filter({ hasText: `${user} Doe` }),
    };
    await ann.button("People").click();
    for (const [place, find] of Object.entries(places)) {
      for (const user of users) {
        const face = find(user).locator(".face");
        await expect(face).toHaveText(`${user[0].toUpperCase()}D`);
        const shown = user === "pat";
        await expect(face.locator("img"), `the picture of ${user} covers the initials of a ${place}`).toBeVisible({ visible: shown });
      }
    }
  });

  test("have initials of the name in the finder, too", async ({ cast, server }) => {
    await server.api("u77", "PUT", "/people/me", { name: "Rhianna Cohen" });
    const abe = await cast.enter("abe");
    await abe.button("New direct message").click();
    await abe.page.getByRole("combobox", { name: "Find a person" }).fill("Rhianna");
    await expect(abe.page.getByRole("option", { name: "Rhianna Cohen" }).locator(".face")).toHaveText("RC");
  });
});
