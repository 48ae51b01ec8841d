import { PURPOSES } from "@docent/people/identity/identity";
import { z } from "zod";

// The replies of the operations by which people sign in with a provider.

/** How one signs in here. `passwords` is `emergency` where one member alone has one. */
export const waysInShape = z.lazy(() =>
  z
    .object({
      providers: z.array(
        z
          .object({
            name: z.string(),
            label: z.string(),
            purposes: z.array(z.enum(PURPOSES).meta({ id: "SignInPurpose" })),
          })
          .meta({ id: "Provider" }),
      ),
      passwords: z.enum(["on", "emergency"]),
    })
    .meta({ id: "WaysIn" }),
);
