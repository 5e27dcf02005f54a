import { defineConfig } from "vitest/config"

const suite = (
  name: string,
  include: ReadonlyArray<string>,
  exclude: ReadonlyArray<string> = []
) => ({
  extends: true as const,
  test: { name, include: [...include], exclude: ["**/node_modules/**", "**/dist/**", ...exclude] }
})

/** Tests run on the sources, by the packages' source condition; no build is needed. */
export default defineConfig({
  resolve: { conditions: ["@petstore/source"] },
  ssr: { resolve: { conditions: ["@petstore/source"] } },
  test: {
    environment: "node",
    // Bounds against hanging, not expectations of speed: the machines that run this are shared.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      suite(
        "unit",
        ["packages/*/test/**/*.test.ts", "test/shop/**/*.test.ts"],
        ["**/*.property.test.ts"]
      ),
      suite("property", ["packages/*/test/**/*.property.test.ts", "test/property/**/*.test.ts"]),
      suite("architecture", ["test/architecture/**/*.test.ts"]),
      suite("conformance", ["test/conformance/**/*.test.ts"]),
      suite("end to end", ["test/e2e/**/*.test.ts", "test/fuzz/**/*.test.ts"]),
      suite("examples", ["test/examples/**/*.test.ts", "examples/**/*.test.ts"])
    ]
  }
})
