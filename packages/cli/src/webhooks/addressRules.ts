/** Which URLs a webhook may have. */

export type AddressRules = { readonly allowHttp: boolean; readonly allowPrivate: boolean }

/** The rules as the store takes them. */
export const addressPolicy = ({ allowHttp, allowPrivate }: AddressRules) => ({
  allowHttp,
  allowPrivateAddresses: allowPrivate
})
