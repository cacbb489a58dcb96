// PocketBase with a public collection `members` of ROWS rows, in DATA_DIR. It prints its address when it serves.
package main

import (
	"fmt"
	"log"
	"net"
	"os"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

// The identifiers have 15 characters, as those that PocketBase makes itself.
const rows = `
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < CAST({:rows} AS INTEGER))
INSERT INTO members (id, name, age) SELECT printf('m%014d', n), 'Ada Byron', 36 FROM numbers`

func main() {
	app := pocketbase.NewWithConfig(pocketbase.Config{
		DefaultDataDir:  os.Getenv("DATA_DIR"),
		HideStartBanner: true,
	})
	app.OnServe().BindFunc(func(event *core.ServeEvent) error {
		members := core.NewBaseCollection("members")
		members.ListRule = types.Pointer("")
		members.ViewRule = types.Pointer("")
		members.CreateRule = types.Pointer("")
		members.Fields.Add(&core.TextField{Name: "name"}, &core.NumberField{Name: "age"})
		if err := app.Save(members); err != nil {
			return err
		}
		if _, err := app.DB().NewQuery(rows).Bind(dbx.Params{"rows": os.Getenv("ROWS")}).Execute(); err != nil {
			return err
		}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		event.Listener = listener
		event.InstallerFunc = nil
		fmt.Printf("Listening on http://%s\n", listener.Addr())
		return event.Next()
	})
	app.RootCmd.SetArgs([]string{"serve"})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}
