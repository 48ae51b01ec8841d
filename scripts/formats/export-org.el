;; Exports a page in Org as HTML: PAGE OUT
(require 'ox-html)
(setq org-export-use-babel nil
      org-export-with-broken-links t
      org-export-with-section-numbers nil
      org-export-with-toc nil
      org-export-with-author nil
      org-html-htmlize-output-type nil
      org-html-validation-link nil
      enable-local-variables nil
      make-backup-files nil)
(let ((page (pop command-line-args-left))
      (out (pop command-line-args-left)))
  (with-current-buffer (find-file-noselect page)
    (org-export-to-file 'html out)))
