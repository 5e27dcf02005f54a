declare const driver: unknown
export = driver
