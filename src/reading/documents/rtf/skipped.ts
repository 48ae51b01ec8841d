/** Groups whose words are none of the text: tables of the file, what stands on each page, what is for other programs. */
const SKIPPED = new Set(
  (
    "colortbl filetbl revtbl rsidtbl listtable listoverridetable generator xmlnstbl themedata colorschememapping datastore " +
    "latentstyles factoidname template private docvar userprops passwordhash protusertbl mailmerge pgptbl " +
    "header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn " +
    "pict nonshppict shprslt objdata objclass objname objalias objsect sp shpinstprops datafield formfield blipuid picprop " +
    "bkmkstart bkmkend xe tc tcn rxe txe pn pnseclvl pnlvlblt operator comment doccomm keywords manager company category " +
    "hlinkbase annotation atnid atnauthor atntime atnref atnicn atnparent atrfstart atrfend atndate " +
    "oldcprops oldpprops oldsprops oldtprops ctrlPr mmathPr panose falt fontemb fontfile liststylename listname listpicture " +
    "ud htmltag mhtmltag buptim printim revtim xmlopen xmlclose xmlattrname xmlattrvalue wgrffmtfilter background"
  ).split(" "),
);

/** Groups that readers may skip, and whose words are of the text all the same. */
const READ_ALL_THE_SAME = new Set(
  "shppict shpinst shpgrp do fldinst nesttableprops moMath moMathPara flymaincnt cs ts ds listtext pntext shptxt".split(
    " ",
  ),
);

/** Whether a word begins a group of which nothing is read. */
export function isSkipped(name: string, isOptional: boolean): boolean {
  if (SKIPPED.has(name) || (name.startsWith("m") && /^m[a-zA-Z]+Pr$/.test(name))) return true;
  return isOptional && !READ_ALL_THE_SAME.has(name);
}
